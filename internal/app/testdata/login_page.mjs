// Plays a person at the page of docs/frontend.md: node login_page.mjs login.js API ADMIN. It has of a browser what the page asks
// for, and no more; the service is a real one, which takes the page for one of loopback.
import { strict as assert } from 'node:assert'
import { webcrypto as crypto } from 'node:crypto' // not every node that has fetch has it as browsers do
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const [, , script, api, admin] = process.argv
const origin = 'http://localhost:3000'

// answered asks until the service has an answer: on a machine that is busy its database may be too late to begin a request (503), or
// to keep an answer that is asked for once more (409).
async function answered(url, options) {
  for (const end = Date.now() + 60_000; ; await pause(50)) {
    const answer = await fetch(url, options)
    if (![409, 503].includes(answer.status) || Date.now() > end) return answer
  }
}

// page is the page in a browser of a language: press acts, shows waits until it says what it should.
function page(language) {
  const elements = {}
  const element = id => ({
    id, value: '', textContent: '', hidden: id === 'answer', disabled: false, on: {},
    addEventListener(what, does) { this.on[what] = does },
    requestSubmit() { this.on.submit({ preventDefault() { } }) },
    focus() { },
  })
  const $ = id => (elements[id] ??= element(id))
  let otp
  const credentials = { get: ({ signal }) => new Promise((done, fail) => { otp = code => done({ code }); signal.onabort = fail }) }
  const lost = { next: false } // the next answer gets lost on its way
  const browser = {
    document: { getElementById: $ }, window: { OTPCredential: 1 }, navigator: { language, credentials }, crypto, setInterval() { },
    async fetch(url, options) {
      const answer = await answered(url, { ...options, headers: { ...options.headers, Origin: origin } })
      assert.equal(answer.headers.get('Access-Control-Allow-Origin'), origin, 'a browser would not show this answer to the page')
      if (lost.next) { lost.next = false; throw new TypeError('network') }
      return answer
    },
  }
  const text = readFileSync(script, 'utf8').replace('http://127.0.0.1:8080', api)
  new Function(...Object.keys(browser), text)(...Object.values(browser))
  return {
    $, lost,
    send(phone) { $('phone').value = phone; $('ask').requestSubmit(); assert($('send').disabled, 'a send runs, and another one may be pressed') },
    verify(code) { $('code').value = code; $('answer').requestSubmit() },
    arrives(code) { otp(code) },
    async says(what) {
      for (const end = Date.now() + 60_000; !what.test($('said').textContent); await pause(5)) {
        assert(Date.now() < end, `it says ${JSON.stringify($('said').textContent)}, not ${what}`)
      }
    },
  }
}

const inbox = async phone => (await (await fetch(`${admin}/mock/messages?phone=${encodeURIComponent(phone)}`)).json()).messages
const wrong = code => code.replace(/\d$/, last => (+last + 1) % 10)

{ // what goes well, after a wrong code
  const p = page('en-US')
  p.send('+86 138 0013 8000')
  await p.says(/sent a code to \+86 138\*\*\*\*8000/)
  assert(!p.$('answer').hidden && p.$('again').disabled && +p.$('again').textContent > 0, 'it counts down to the next try')
  const [message] = await inbox('+8613800138000')
  assert(message.text.endsWith(`\n\n@app.example.com #${message.code}`), message.text)
  p.verify(wrong(message.code))
  await p.says(/not the code. Tries left: 4/)
  p.verify(message.code)
  await p.says(/^eyJ/)
}
{ // the phone gives the code
  const p = page('zh-CN')
  p.send('+8613800138001')
  await p.says(/验证码已发送至/)
  p.arrives((await inbox('+8613800138001'))[0].code)
  await p.says(/^eyJ/)
}
{ // no answer comes to a send: it is repeated, and one message leaves
  const p = page('en')
  p.lost.next = true
  p.send('+8613800138002')
  await p.says(/sent a code/)
  assert.equal((await inbox('+8613800138002')).length, 1)
}
{ // what is refused
  const p = page('zh')
  p.send('+12025550150') // is refused for a minute, however long ago it was sent to
  await p.says(/请在 \d+ 秒后重试/)
  assert(p.$('send').disabled, 'a wait that is told is kept')
  p.$('phone').on.input()
  assert(!p.$('send').disabled, "a wait is its number's")
  p.send('12')
  await p.says(/请检查手机号码/)
  p.send('+12025550110')
  await p.says(/无法接收短信/)
}
{ // the tries are used up
  const p = page('en')
  p.send('+8613800138003')
  await p.says(/sent a code/)
  const [{ code }] = await inbox('+8613800138003')
  for (let left = 4; left >= 0; left--) {
    p.verify(wrong(code))
    await p.says(left ? new RegExp(`Tries left: ${left}`) : /Too many wrong codes/)
  }
  assert(p.$('answer').hidden, 'no try is left, and it asks for one')
}
{ // every code that a page can meet has its words, in both languages
  const problems = (await (await fetch(`${api}/problems/`, { headers: { Accept: 'application/json' } })).json()).problems.map(p => p.code)
  const known = [...readFileSync(script, 'utf8').matchAll(/^    (\w+): (?:a|\(\)) =>/gm)].map(m => m[1])
  const half = known.length / 2
  assert.deepEqual(known.slice(0, half), known.slice(half))
  for (const code of known) assert(problems.includes(code) || ['sent', 'other'].includes(code), `${code} is no code`)
}
process.exit(0) // waits for messages that do not come
