// The official SDK: the calls of a file of batch lines, so many at once, each with so many retries.
import fs from 'node:fs';
import OpenAI from 'openai';

const { file, url, atOnce, retries } = JSON.parse(process.argv[2]);
const client = new OpenAI({ apiKey: 'sk-bench', baseURL: url, maxRetries: retries });
const calls = fs.readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line).body);

let next = 0;
let lost = 0;
async function work() {
  while (next < calls.length) {
    const call = calls[next++];
    try {
      await client.chat.completions.create(call);
    } catch (error) {
      lost += 1;
      console.log(String(error));
    }
  }
}
await Promise.all(Array.from({ length: atOnce }, work));
console.log(`lost ${lost} of ${calls.length}`);
