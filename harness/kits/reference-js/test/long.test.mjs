import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerLine } from '../contract.mjs';
import { LONG, parseLong } from '../long.mjs';

const RUN = 'ab'.repeat(LONG);
const FRAME = `15${(RUN.length / 2).toString(16).padStart(6, '0')}${RUN}00000000`;
const HEAD = '"id":7,"op":"decode","protocol":"esnp-frame"';
const value = (body) => `{"id":7,"op":"encode","protocol":"esnp-frame","value":{"frames":[{"type":21,"body":"${body}"}]}}`;

/** @type {[string, string][]} */
const LINES = [
  ['decode', `{${HEAD},"hex":"${FRAME}"}`],
  ['decode, two messages', `{${HEAD},"hex":"${FRAME}${FRAME}"}`],
  ['decode, rejected after a message', `{${HEAD},"hex":"${FRAME}09000000"}`],
  ['decode, hex first', `{"hex":"${FRAME}",${HEAD}}`],
  ['hex twice', `{${HEAD},"hex":"${FRAME}","hex":""}`],
  ['hex elsewhere', `{${HEAD},"hex":"","more":{"hex":"${RUN}"}}`],
  ['a list of hex', `{${HEAD},"hex":["${RUN}"]}`],
  ['an odd number of digits', `{${HEAD},"hex":"${FRAME}0"}`],
  ['upper case', `{${HEAD},"hex":"${FRAME}AB"}`],
  ['an escaped digit', `{${HEAD},"hex":"${FRAME}\\u0030\\u0030"}`],
  ['an escaped quote', `{${HEAD},"hex":"${FRAME}\\""}`],
  ['an escape in front', `{${HEAD},"\\"":1,"hex":"${FRAME}"}`],
  ['beyond ASCII in front', `{${HEAD},"\u00e9":1,"hex":"${FRAME}"}`],
  ['the stand-in in front', `{${HEAD},"x":"run of hex","hex":"${FRAME}"}`],
  ['the run as a key', `{${HEAD},"hex":"","${RUN}":1}`],
  ['the run as another key of a value', value('').replace('"type"', `"${RUN}":1,"type"`)],
  ['no comma behind it', `{${HEAD},"hex":"${FRAME}""}`],
  ['a null', `{${HEAD},"hex":null,"x":"${RUN}"} `],
  ['only a run', `"${RUN}"`],
  ['stream', `{${HEAD.replace('decode', 'stream')},"chunks":["${FRAME.slice(0, 20)}","","${FRAME.slice(20)}","15"],"eof":false}`],
  ['stream of two runs', `{${HEAD.replace('decode', 'stream')},"chunks":["${FRAME}","${FRAME}"]}`],
  ['stream with a wrong chunk', `{${HEAD.replace('decode', 'stream')},"chunks":["${FRAME}",1]}`],
  ['encode', value(RUN)],
  ['encode, wrong digits', value(`${RUN}zz`)],
  ['encode, a text of digits', value('').replace('"type":21,"body":""', `"type":20,"key":"${RUN}","value":{"t":"null"}`)],
  ['encode a deep value', value(RUN).replace('{"type":21', `{"x":${'['.repeat(20000)}${']'.repeat(20000)},"type":21`)],
  ['a run of digits as a number', value('').replace('21', RUN.replaceAll(/[a-f]/g, '1'))],
];

const whole = (answer) =>
  typeof answer === 'string' ? answer : answer.map((part) => (typeof part === 'string' ? part : part.toString('hex'))).join('');

for (const [what, line] of LINES) {
  test(`read as bytes or as text: ${what}`, () => {
    assert.ok(line.length >= LONG);
    assert.ok(whole(answerLine(Buffer.from(line))) === answerLine(line));
  });
}

test('the run is passed by', () => {
  assert.ok(parseLong(Buffer.from(`{${HEAD},"hex":"${FRAME}"}`)).hex instanceof Buffer);
  assert.ok(parseLong(Buffer.from(`{${HEAD},"chunks":["00","${FRAME}"]}`)).chunks[1] instanceof Buffer);
});
