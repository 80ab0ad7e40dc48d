// Counts the tokens of the samples beside this file, with OpenAI's o200k_base and
// cl100k_base as npm's gpt-tokenizer 4.0.0 has them:
//
//   npm install --prefix /tmp/t gpt-tokenizer@4.0.0
//   cd truncation/testdata/tokens && NODE_PATH=/tmp/t/node_modules node count.js >counts.tsv
const fs = require('fs')
const o200k = require('gpt-tokenizer/cjs/encoding/o200k_base')
const cl100k = require('gpt-tokenizer/cjs/encoding/cl100k_base')
for (const name of fs.readdirSync('.').filter((n) => n.endsWith('.txt')).sort()) {
  const text = fs.readFileSync(name, 'utf8')
  console.log([name, o200k.encode(text).length, cl100k.encode(text).length].join('\t'))
}
