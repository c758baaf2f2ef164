"use strict";
const $ = (id) => document.getElementById(id);
const now = () => performance.now();

// What runs: the verification, and instants (of performance.now) that countdowns end at.
let current = null;
let expiresAt = 0, resendAt = 0, sendAt = 0;

function left(until) { return Math.max(0, Math.ceil((until - now()) / 1000)); }
function clock(s) { return s < 100 ? s + " s" : Math.floor(s / 60) + ":" + String(s % 60).padStart(2, "0"); }

function note(place, kind, title, lines) {
  place.replaceChildren();
  if (!title) return;
  const box = document.createElement("div");
  box.className = "note " + kind;
  const strong = document.createElement("strong");
  strong.textContent = title;
  box.append(strong);
  for (const line of lines) {
    const p = document.createElement("div");
    p.className = line.soft ? "soft" : "";
    if (line.href) {
      const a = document.createElement("a");
      a.href = line.href; a.textContent = line.text;
      p.append(a);
    } else p.textContent = line.text;
    box.append(p);
  }
  place.append(box);
}

function words(errors) {
  const say = { required: "is missing", invalid_type: "has the wrong type", unknown: "is not a field", duplicate: "appears twice", too_long: "is too long", invalid: "is not valid", not_allowed: "is not for this caller" };
  return errors.map((e) => ({ text: ((e.pointer || e.parameter || "the request").replace(/^\//, "")) + " " + (say[e.code] || e.code) }));
}

function showProblem(p) {
  note($("status"), "", "", []);
  const lines = [{ text: p.retry_after ? "Try again in " + clock(p.retry_after) + "." : p.detail || "" }];
  if (p.errors) lines.push(...words(p.errors));
  if (p.attempts_left !== undefined) lines.push({ text: p.attempts_left + (p.attempts_left === 1 ? " attempt left." : " attempts left.") });
  if (p.type) lines.push({ text: "What does " + p.code + " mean?", href: p.type });
  if (p.request_id) lines.push({ text: "Request " + p.request_id, soft: true });
  note($("problem"), "bad", p.title || "Something went wrong", lines);
}

async function call(path, body) {
  try {
    const r = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    const answer = await r.json();
    return r.ok ? { ok: answer } : { problem: answer };
  } catch {
    return { problem: { title: "No answer", detail: "The service can't be reached. Is it running?" } };
  }
}

// A form whose request runs takes no other: tick leaves its buttons alone.
const running = new Set();
function busy(form, on) {
  if (on) running.add(form); else running.delete(form);
  for (const b of form.querySelectorAll("button")) b.disabled = on;
}

function show(sent) {
  current = sent;
  expiresAt = now() + sent.expires_in * 1000;
  resendAt = now() + sent.resend_in * 1000;
  $("to").textContent = sent.phone;
  $("delivery").textContent = sent.delivery === "unknown" ? "unknown: it may or may not arrive" : sent.delivery;
  $("attempts").textContent = sent.attempts;
  $("verify").hidden = false;
  note($("problem"), "", "", []);
  note($("status"), "good", "On its way", [{ text: "A code of " + sent.code_length + " digits for " + sent.scene + "." }]);
  tick();
}

function tick() {
  const wait = left(sendAt);
  $("send-button").disabled = wait > 0 || running.has($("send"));
  $("send-button").textContent = wait > 0 ? "Send again in " + clock(wait) : "Send the code";
  if (!current) return;
  const life = left(expiresAt), again = left(resendAt);
  $("expires").textContent = life > 0 ? clock(life) : "expired";
  $("resend").disabled = again > 0 || life === 0 || running.has($("verify"));
  $("resend").textContent = again > 0 ? "Resend in " + clock(again) : "Resend";
}
setInterval(tick, 250);

$("send").addEventListener("submit", async (e) => {
  e.preventDefault();
  const body = { phone: $("phone").value, scene: $("scene").value };
  if ($("region").value) body.region = $("region").value;
  if ($("locale").value) body.locale = $("locale").value;
  busy($("send"), true);
  const r = await call("/api/v1/sms/send", body);
  busy($("send"), false);
  if (r.problem) {
    if (r.problem.retry_after) sendAt = now() + r.problem.retry_after * 1000;
    showProblem(r.problem);
    return;
  }
  show(r.ok);
  $("code").value = "";
  $("code").focus();
});

// A wait belongs to the number and the scene that were refused.
for (const id of ["phone", "scene", "region"]) $(id).addEventListener("input", () => { sendAt = 0; tick(); });

$("resend").addEventListener("click", async () => {
  busy($("verify"), true);
  const r = await call("/api/v1/sms/resend", { sms_id: current.sms_id });
  busy($("verify"), false);
  if (r.problem) {
    if (r.problem.retry_after) resendAt = now() + r.problem.retry_after * 1000;
    showProblem(r.problem);
  } else show(r.ok);
  $("code").focus();
});

$("verify").addEventListener("submit", async (e) => {
  e.preventDefault();
  busy($("verify"), true);
  const r = await call("/api/v1/sms/verify", { sms_id: current.sms_id, code: $("code").value });
  busy($("verify"), false);
  if (r.problem) {
    if (r.problem.attempts_left !== undefined) $("attempts").textContent = r.problem.attempts_left;
    showProblem(r.problem);
    $("code").focus();
    $("code").select();
    return;
  }
  current = null;
  $("verify").hidden = true;
  note($("problem"), "", "", []);
  note($("status"), "good", "Verified", [{ text: r.ok.phone + " for " + r.ok.scene }]);
  tick();
});
