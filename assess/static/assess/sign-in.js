// Sends forms with a password again while the server is busy with other passwords (status 429 with a short wait).

const LONGEST_WAIT = 5; // seconds; after more, a limit was reached, and the page says so
const ATTEMPTS = 60;

/** @param {Response} response */
function wait(response) {
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  return response.status === 429 && seconds <= LONGEST_WAIT ? seconds : null;
}

/** @param {number} seconds */
function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, 1000 * seconds * (0.25 + 0.75 * Math.random())));
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const options = { method: "POST", body, headers: { "X-Form": "script" } };
  let response = await fetch(form.action, options);
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const seconds = wait(response);
    if (seconds === null) return response;
    /** @type {HTMLElement} */ (form.querySelector("[role=status]")).hidden = false;
    await pause(seconds);
    response = await fetch(form.action, options);
  }
  return response;
}

/** @param {Response} response */
async function show(response) {
  const next = response.headers.get("X-Location");
  if (next) {
    location.assign(next);
    return;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  document.querySelector("main")?.replaceWith(/** @type {HTMLElement} */ (page.querySelector("main")));
  listen();
}

function listen() {
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-busy]"))) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
      button.disabled = true;
      send(form)
        .then(show)
        .catch(() => form.submit());
    });
  }
}

listen();
