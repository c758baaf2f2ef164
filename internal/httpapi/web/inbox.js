"use strict";
const $ = (id) => document.getElementById(id);
const shown = 100; // newest messages on the page
let phone = new URLSearchParams(location.search).get("phone") || "";
let round = new AbortController();
let known = null; // ids on the page

function query(more) {
  const q = new URLSearchParams(more);
  if (phone) q.set("phone", phone);
  return q.toString();
}

function say(title, text, bad) {
  $("note").replaceChildren();
  if (!title) return;
  const box = document.createElement("div");
  box.className = "note " + (bad ? "bad" : "good");
  const strong = document.createElement("strong");
  strong.textContent = title;
  box.append(strong, text || "");
  $("note").append(box);
}

function live(on, text) {
  $("live").className = "soft live" + (on ? " on" : "");
  $("live").textContent = text;
}

async function call(method, path, body, signal) {
  const init = { method, signal };
  if (body) { init.headers = { "Content-Type": "application/json" }; init.body = JSON.stringify(body); }
  const r = await fetch(path, init);
  if (r.status === 204) return null;
  const answer = await r.json();
  if (!r.ok) throw Object.assign(new Error(answer.title), answer);
  return answer;
}

async function act(done, method, path, body) {
  try {
    await call(method, path, body);
    say(done, "");
    return true;
  } catch (e) {
    const at = (e.errors || []).map((f) => (f.pointer || f.parameter || "").replace(/^\//, "") + ": " + f.code.replace("_", " ")).join(", ");
    say(e.title || "No answer", (e.detail || "The service can't be reached.") + (at ? " (" + at + ")" : ""), true);
    return false;
  }
}

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // not a secure context
    const area = document.createElement("textarea");
    area.value = text; document.body.append(area); area.select();
    document.execCommand("copy"); area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

function element(tag, className, text) {
  const e = document.createElement(tag);
  e.className = className; e.textContent = text;
  return e;
}

function item(m) {
  const li = element("li", "card message" + (known && !known.has(m.id) ? " fresh" : ""), "");
  const button = element("button", "quiet", "Copy");
  button.type = "button";
  button.setAttribute("aria-label", "Copy code " + m.code);
  button.addEventListener("click", () => copy(m.code, button));
  const meta = element("div", "meta soft", m.phone + " · " + m.scene + " · " + new Date(m.created_at).toLocaleTimeString() +
    " · " + m.segments + (m.segments === 1 ? " segment " : " segments ") + m.encoding);
  li.append(element("span", "big", m.code), button, element("p", "text", m.text), meta);
  return li;
}

function render(messages) {
  $("messages").replaceChildren(...messages.map(item));
  $("empty").hidden = messages.length > 0;
  known = new Set(messages.map((m) => m.id));
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// One round shows what there is, then waits for what comes; a new filter ends it and starts the next.
async function follow() {
  round.abort();
  round = new AbortController();
  const { signal } = round;
  known = null;
  while (!signal.aborted) {
    try {
      const { messages } = await call("GET", "/mock/messages?" + query({ limit: shown }), null, signal);
      render(messages);
      live(true, "live");
      const more = { timeout: "25s" };
      if (messages.length) more.since = messages[0].created_at;
      await call("GET", "/mock/messages/wait?" + query(more), null, signal); // then all again: it may have been emptied
    } catch (e) {
      if (signal.aborted) return;
      live(false, "not connected");
      if (e.code) { say(e.title, e.detail, true); if (e.status < 500) return; }
      await pause(2000);
    }
  }
}

$("phone").value = phone;
$("filter").addEventListener("submit", (e) => {
  e.preventDefault();
  phone = $("phone").value.trim();
  history.replaceState(null, "", phone ? "?" + query() : location.pathname);
  say("");
  follow();
});
$("clear").addEventListener("click", async () => { if (await act("Emptied", "DELETE", "/mock/messages")) follow(); });
$("set-fault").addEventListener("click", () => {
  const body = { fault: $("fault").value, phone: $("fault-phone").value.trim(), times: Number($("fault-times").value) };
  if ($("fault-delay").value) body.delay = $("fault-delay").value;
  act("Fault set", "PUT", "/mock/faults", body);
});
$("clear-faults").addEventListener("click", () => act("Faults cleared", "DELETE", "/mock/faults"));
if ($("reset-limits")) {
  $("reset-limits").addEventListener("click", () => act("Limits reset", "DELETE", "/mock/limits?" + new URLSearchParams({ phone: $("limits-phone").value })));
  $("move-clock").addEventListener("click", () => act("Clock moved", "POST", "/mock/clock", { advance: $("advance").value }));
}
follow();
