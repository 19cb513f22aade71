#!/usr/bin/env node
/** JSON lines on standard input to JSON lines on standard output, until the input ends. */
import { isUtf8 } from 'node:buffer';
import { answerLine } from './contract.mjs';

const LINE_FEED = 0x0a;
const BATCH = 1 << 20;

/** @type {Buffer[]} pieces of the line that has not ended yet */
let unfinished = [];
let pending = '';

/** A reader that lags behind stops the intake, so answers never pile up. */
function flush() {
  if (pending === '') return;
  if (!process.stdout.write(pending)) process.stdin.pause();
  pending = '';
}

/** @param {Buffer} bytes one line */
function respond(bytes) {
  let line = '';
  try {
    if (isUtf8(bytes)) line = bytes.toString('utf8');
  } catch {
    // longer than any string: as unreadable as a line that is not UTF-8
  }
  const answer = answerLine(line);
  if (pending.length + answer.length > BATCH) flush();
  pending += `${answer}\n`;
}

process.stdin.on('data', (chunk) => {
  let start = 0;
  for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
    const last = chunk.subarray(start, end);
    respond(unfinished.length === 0 ? last : Buffer.concat([...unfinished, last]));
    unfinished = [];
    start = end + 1;
  }
  if (start < chunk.length) unfinished.push(chunk.subarray(start));
  flush();
});

process.stdin.on('end', () => {
  if (unfinished.length > 0) respond(Buffer.concat(unfinished));
  flush();
});

process.stdout.on('drain', () => process.stdin.resume());

// The reader went away: there is nobody left to answer
process.stdout.on('error', () => process.exit(0));
