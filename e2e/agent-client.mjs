// An agent that uses the playground: it checks a server and makes a call with two
// questions. The address of the playground's server is in the environment.
import assert from 'node:assert/strict';
import { connect, connectTo } from './typescript-client.mjs';

const call = { workItemId: 4522, fields: { 'System.State': 'Resolved' } };

// use checks the server at a URL, and calls a sample at base.
export async function use(client, url, base) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((t) => t.name).sort(),
    ['call_tool', 'check_server', 'explain_finding', 'read_exchange', 'search_lessons']);
  const board = await client.callTool({ name: 'check_server', arguments: { url, tool: 'book_table' } });
  assert.equal(board.structuredContent.status, 'complete', JSON.stringify(board));
  assert.ok(board.structuredContent.findings.some((f) => f.id === 'wrong-name-header'), 'which it does not compare');
  assert.deepEqual(board.structuredContent.requirements.filter((r) => r.standing !== 'pass'), []);
  const called = await client.callTool({ name: 'call_tool',
    arguments: { url: `${base}/mcp/azure-devops`, tool: 'update_work_item', arguments: call } });
  assert.equal(called.structuredContent.status, 'complete', JSON.stringify(called));
  assert.match(JSON.stringify(called.structuredContent.result), /resolved as Duplicate of Bug #4301/);
  assert.equal(called.structuredContent.rounds.length, 3);
}

if (process.env.AGENT_SERVER) {
  const url = process.env.MRTR_SERVER_URL;
  const client = await connect(url, url, { pin: '2026-07-28' });
  await use(client, process.env.AGENT_SERVER, process.env.AGENT_BASE);
  await client.close();
}

export { connect, connectTo };
