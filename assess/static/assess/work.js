/** Updates the progress of the work while the page is visible: htmx fetches it on the event `refresh`. */

const EVERY_MS = 15_000;

setInterval(() => {
  if (document.visibilityState === "visible") document.getElementById("live")?.dispatchEvent(new Event("refresh"));
}, EVERY_MS);
