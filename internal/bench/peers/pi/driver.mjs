// Calls the tools of pi-coding-agent for the comparison: a JSON line in for each
// call, a JSON line out, and the text behind it if it is wanted. The time is taken
// here, so that neither the start of Node nor this protocol counts.
import { createInterface } from "node:readline";
import { createBashTool, createEditTool, createFindTool, createGrepTool, createLsTool, createReadTool } from "@earendil-works/pi-coding-agent";

const dir = process.argv[2];
const tools = {
	read: createReadTool(dir),
	bash: createBashTool(dir),
	edit: createEditTool(dir),
	grep: createGrepTool(dir),
	find: createFindTool(dir),
	ls: createLsTool(dir),
};
const answer = (value) => process.stdout.write(JSON.stringify(value) + "\n");

answer({ ns: 0, bytes: 0 });
for await (const line of createInterface({ input: process.stdin })) {
	const { tool, args, text: wanted } = JSON.parse(line);
	let text;
	let error = false;
	const start = process.hrtime.bigint();
	try {
		const result = await tools[tool].execute("1", args);
		text = result.content.map((part) => part.text ?? "").join("\n");
		error = result.isError === true; // a command that failed
	} catch (e) {
		// Any other failure is thrown, and its message is what the model reads.
		text = e.message;
		error = true;
	}
	const ns = Number(process.hrtime.bigint() - start);
	const data = Buffer.from(text, "utf8");
	answer({ ns, bytes: data.length, error });
	if (wanted) process.stdout.write(data);
}
