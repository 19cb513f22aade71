#!/usr/bin/env node
/** JSON lines on standard input to JSON lines on standard output, until the input ends. */
import { answerLine } from './contract.mjs';
import { LineReader, LineWriter } from './lines.mjs';

const requests = new LineReader(0);
const answers = new LineWriter(1);

try {
  while (requests.more()) {
    for (let line = requests.next(); line !== null; line = requests.next()) answers.add(answerLine(line));
    answers.flush();
  }
  const last = requests.last();
  if (last !== null) answers.add(answerLine(last));
  answers.flush();
} catch (thrown) {
  // The reader went away: there is nobody left to answer
  if (thrown.code !== 'EPIPE') throw thrown;
}
