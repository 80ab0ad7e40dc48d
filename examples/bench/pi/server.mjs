// Serves the tools of pi-coding-agent over the Model Context Protocol, for the workspace that it is started in.
import { createInterface } from "node:readline";
import * as pi from "@earendil-works/pi-coding-agent";

const dir = process.cwd();
const make = [pi.createReadTool, pi.createBashTool, pi.createEditTool, pi.createWriteTool, pi.createGrepTool, pi.createFindTool, pi.createLsTool];
const tools = new Map(make.map((create) => create(dir)).map((tool) => [tool.name, tool]));
const running = new Map(); // what aborts a call, by its id

const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\n");

async function call(id, { name, arguments: args }) {
	const abort = new AbortController();
	running.set(id, abort);
	let text;
	let isError = false;
	try {
		const result = await tools.get(name).execute(String(id), args, abort.signal);
		text = result.content.map((part) => part.text ?? "").join("\n");
		isError = result.isError === true; // a command that failed
	} catch (e) {
		// Any other failure is thrown, and its message is what the model reads.
		text = e.message;
		isError = true;
	}
	running.delete(id);
	answer(id, { content: [{ type: "text", text }], isError });
}

const methods = {
	initialize: (id, params) =>
		answer(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "pi", version: "" } }),
	"tools/list": (id) =>
		answer(id, { tools: [...tools.values()].map((t) => ({ name: t.name, description: t.description, inputSchema: t.parameters })) }),
	"tools/call": call,
	"notifications/cancelled": (_, params) => running.get(params.requestId)?.abort(),
	ping: (id) => answer(id, {}),
};

for await (const line of createInterface({ input: process.stdin })) {
	const { id, method, params } = JSON.parse(line);
	const refused = { jsonrpc: "2.0", id, error: { code: -32601, message: `there is no method ${method}` } };
	if (methods[method]) void methods[method](id, params);
	else if (id !== undefined) process.stdout.write(JSON.stringify(refused) + "\n");
}
process.exit(0);
