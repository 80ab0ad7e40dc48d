// A client made with the official TypeScript SDK, of either generation. Its one argument is JSON: which
// SDK, how to reach the server, and what to do. What it got is printed as JSON.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { sdk, stdio, http, dir, calls, many, wait, outlast } = JSON.parse(process.argv[2]);
// Of the second, the default mode knows no revision without sessions, and "auto" asks the server.
const v1 = sdk === '1';
const from = v1 ? '@modelcontextprotocol/sdk/client' : '@modelcontextprotocol/client';
const { Client } = await import(v1 ? `${from}/index.js` : from);
const { StdioClientTransport } = await import(v1 ? `${from}/stdio.js` : `${from}/stdio`);
const { StreamableHTTPClientTransport } = await import(v1 ? `${from}/streamableHttp.js` : from);

const transport = stdio
  ? new StdioClientTransport(stdio)
  : new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers: { Authorization: `Bearer ${http.token}` } } });
const client = new Client({ name: 'test', version: '1' }, sdk === '2 auto' ? { versionNegotiation: { mode: 'auto' } } : undefined);
await client.connect(transport);

const call = (name, args, options) => client.callTool({ name, arguments: args }, ...(v1 ? [undefined] : []), options);
if (wait) {
  await call('bash', { command: wait }); // until somebody ends this process
}
if (outlast) {
  const first = await call('bash', { command: outlast.command }, outlast.timeout ? { timeout: outlast.timeout } : undefined);
  writeFileSync(join(dir, 'go'), '');
  const results = [first, await call('job', { id: 1, until: 'late' })];
  await client.close();
  console.log(JSON.stringify({ results }));
  process.exit();
}

const got = {
  revision: v1 ? '' : client.getNegotiatedProtocolVersion(),
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
