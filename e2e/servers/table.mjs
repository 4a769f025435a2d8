// The server of the exercise: book_table asks in two rounds. With forgets it
// hands out no requestState until `mended` is set, as a learner's first version
// might. With careless it books for any number of people.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { listen, text } from './wire.mjs';

const times = ['18:00', '19:00', '20:00'];

export async function table({ forgets = false, careless = false } = {}) {
  const key = randomBytes(32);
  const learner = { mended: !forgets };
  const about = (message) => JSON.stringify([message.params.name, message.params.arguments]);
  const tag = (claims, message) => createHmac('sha256', key).update(`${about(message)}\n${claims}`).digest();
  const seal = (known, message) => {
    const claims = JSON.stringify(known);
    return `${Buffer.from(claims).toString('base64url')}.${tag(claims, message).toString('hex')}`;
  };
  const open = (state, message) => {
    const [head, sum = ''] = state.split('.');
    const claims = Buffer.from(head, 'base64url').toString();
    const given = Buffer.from(sum, 'hex');
    const same = given.length === 32 && timingSafeEqual(given, tag(claims, message)) &&
      Buffer.from(claims).toString('base64url') === head && given.toString('hex') === sum;
    return same ? JSON.parse(claims) : undefined;
  };

  const call = (message, _req, res) => {
    const { arguments: args, inputResponses = {}, requestState, _meta } = message.params;
    const refuse = (code, words, data) => {
      res.writeHead(400, { 'Content-Type': 'application/json' });
      res.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error: { code, message: words, data } }));
    };
    const capabilities = _meta?.['io.modelcontextprotocol/clientCapabilities'];
    if (!capabilities) return refuse(-32602, '_meta is incomplete');
    if (!capabilities.elicitation) {
      return refuse(-32021, 'book_table asks', { requiredCapabilities: { elicitation: {} } });
    }
    const known = requestState === undefined ? {} : open(requestState, message);
    if (!known) return refuse(-32602, 'requestState was not accepted');

    const questions = {};
    const ask = (name, words, field) => {
      questions[name] = { method: 'elicitation/create', params: { mode: 'form', message: words,
        requestedSchema: { type: 'object', properties: { [name]: field }, required: [name] } } };
    };
    for (const [name, answer] of Object.entries(inputResponses)) {
      if (answer === null || typeof answer !== 'object') return refuse(-32602, 'an answer is malformed');
      const counts = name !== 'confirm' || known.asked;
      if (counts && ['decline', 'cancel'].includes(answer.action)) return text('Nothing was booked.');
    }
    const { people, time } = inputResponses;
    const confirm = known.asked ? inputResponses.confirm : undefined; // not before it was asked
    const n = known.people ?? people?.content?.people;
    if (Number.isInteger(n) && (careless || n >= 1 && n <= 12)) known.people = n;
    else ask('people', 'How many people?', { type: 'integer', minimum: 1, maximum: 12 });
    const at = known.time ?? time?.content?.time;
    if (times.includes(at)) known.time = at;
    else ask('time', 'At what time?', { type: 'string', enum: times });

    const summary = `a table for ${known.people} at ${args.restaurant} on ${args.day} at ${known.time}`;
    const sure = confirm?.content?.confirm;
    if (!Object.keys(questions).length && typeof sure !== 'boolean') {
      ask('confirm', `Book ${summary}?`, { type: 'boolean' });
      known.asked = true;
    }
    if (Object.keys(questions).length) {
      const keeps = learner.mended && Object.keys(known).length > 0;
      return { resultType: 'input_required', inputRequests: questions,
        ...(keeps && { requestState: seal(known, message) }) };
    }
    return text(sure ? `Booked ${summary}.` : 'Nothing was booked.');
  };
  const string = { type: 'string' };
  const server = await listen({ book_table: { description: 'Books a table.', call,
    inputSchema: { type: 'object', properties: { restaurant: string, day: string },
      required: ['restaurant', 'day'] } } });
  return Object.assign(learner, server);
}
