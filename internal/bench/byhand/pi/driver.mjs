// Calls the tools of pi-coding-agent: a line of JSON in for each call, a line with what a model reads out.
import { createInterface } from "node:readline";
import * as pi from "@earendil-works/pi-coding-agent";

const dir = process.argv[2];
const tools = {
	read: pi.createReadTool(dir),
	bash: pi.createBashTool(dir),
	edit: pi.createEditTool(dir),
	write: pi.createWriteTool(dir),
	grep: pi.createGrepTool(dir),
	find: pi.createFindTool(dir),
	ls: pi.createLsTool(dir),
};
for await (const line of createInterface({ input: process.stdin })) {
	const { tool, args } = JSON.parse(line);
	let text;
	try {
		const result = await tools[tool].execute("1", args);
		text = result.content.map((part) => part.text ?? "").join("\n");
	} catch (e) {
		text = e.message; // a failure is thrown, and its message is what the model reads
	}
	process.stdout.write(JSON.stringify({ text }) + "\n");
}
process.exit(0);
