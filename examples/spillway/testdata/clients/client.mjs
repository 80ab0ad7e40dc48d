// A client made with the official TypeScript SDK. Its one argument is JSON: how to
// reach the server, and what to do. What it got is printed as JSON.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const { stdio, http, dir, calls, many, wait } = JSON.parse(process.argv[2]);
const transport = stdio
  ? new StdioClientTransport(stdio)
  : new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers: { Authorization: `Bearer ${http.token}` } } });
const client = new Client({ name: 'test', version: '1' });
await client.connect(transport);

const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
if (wait) {
  await call('bash', { command: wait }); // until somebody ends this process
}

const got = {
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  tools: (await client.listTools()).tools,
  results: [],
  progress: [],
};
for (const { name, args } of calls) {
  got.results.push(await call(name, args));
}
got.many = await Promise.all(Array.from({ length: many }, (_, i) => call('bash', { command: `echo call ${i}` })));

// The command goes on only when its progress was heard of.
await call('bash', { command: 'echo half way; until [ -e go-on ]; do sleep 0.05; done' }, {
  onprogress: (p) => {
    got.progress.push(p);
    writeFileSync(join(dir, 'go-on'), '');
  },
});

const stop = new AbortController();
const cancelled = call('bash', { command: 'sleep 600 & echo $! > child; echo $$ > shell; wait' }, { signal: stop.signal });
const pid = join(dir, 'shell');
while (!existsSync(pid) || !readFileSync(pid).length) {
  await new Promise((next) => setTimeout(next, 10));
}
stop.abort('changed my mind');
got.cancelled = await cancelled.then(() => '', String);
got.after = await call('ls', {});

await transport.terminateSession?.();
await client.close();
console.log(JSON.stringify(got));
