// Plays a person at the try-it page: node try_page.mjs web/try.js. It has of a browser what try.js asks for, and no more; the
// service is a promise that the play keeps when it likes.
import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'

const element = () => ({
  value: '', textContent: '', disabled: false, hidden: true, children: [], on: {}, focused: false,
  addEventListener(what, does) { this.on[what] = does },
  append(...all) { this.children.push(...all) },
  replaceChildren(...all) { this.children = all },
  focus() { this.focused = true },
  select() {},
  text() { return [this.textContent, ...this.children.map(c => c.text())].join(' ') },
})
const elements = {}
const byId = id => (elements[id] ??= element())
byId('send').querySelectorAll = () => [byId('send-button')]
byId('verify').querySelectorAll = () => [byId('verify-button'), byId('resend')]

let tick, answer
const document = { getElementById: byId, createElement: element }
const fetch = () => new Promise(done => { answer = (ok, body) => done({ ok, json: async () => body }) })
const setInterval = does => { tick = does }
new Function('document', 'fetch', 'setInterval', readFileSync(process.argv[2], 'utf8'))(document, fetch, setInterval)

const press = (form, what = 'submit') => byId(form).on[what]({ preventDefault() {} })
const told = async (ok, body) => { answer(ok, body); await turn(); await turn() }

press('send')
tick()
assert(byId('send-button').disabled, 'a send runs, and another one may be pressed')
await told(true, { sms_id: 'id', scene: 'login', phone: '+86 138****8000', code_length: 6, attempts: 2, expires_in: 300, resend_in: 0, delivery: 'accepted' })
tick()
assert(!byId('send-button').disabled && !byId('resend').disabled && !byId('verify').hidden, 'nothing runs any more')

byId('code').focused = false
press('verify')
tick()
assert(byId('verify-button').disabled && byId('resend').disabled, 'a verify runs, and a resend may be pressed')
await told(false, { title: 'The code is not right', code: 'code_incorrect', attempts_left: 1 })
tick()
assert(!byId('resend').disabled && byId('code').focused, 'the person may type the code again')
assert(byId('problem').text().includes('1 attempt left.'), byId('problem').text())

press('resend', 'click')
tick()
assert(byId('resend').disabled, 'a resend runs, and another one may be pressed')
