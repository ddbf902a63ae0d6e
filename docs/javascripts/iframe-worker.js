"use strict";

/*
 * Search in a site that is opened as a file.
 *
 * The search of the theme runs in a worker, and browsers start no worker from a file. Here a hidden frame takes its
 * place: it has its own `self`, receives messages and posts them to the page. The name of this file keeps zensical from
 * loading a script for the same purpose from another host.
 */
if (window.location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = null;
      this.onerror = null;
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "Search";
      this.ready = new Promise((resolve) => {
        this.frame.addEventListener("load", () => resolve(this.load(address)), { once: true });
      });
      document.body.append(this.frame);
    }

    load(address) {
      const scope = this.frame.contentWindow;
      scope.postMessage = (data) => this.deliver(new MessageEvent("message", { data }));
      const script = scope.document.createElement("script");
      script.src = new URL(address, window.location.href).href;
      const loaded = new Promise((resolve) => {
        script.addEventListener("load", resolve);
        script.addEventListener("error", () => this.deliver(new ErrorEvent("error")));
      });
      scope.document.body.append(script);
      return loaded;
    }

    deliver(event) {
      this.dispatchEvent(event);
      this[`on${event.type}`]?.(event);
    }

    postMessage(data) {
      this.ready.then(() => this.frame.contentWindow?.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
