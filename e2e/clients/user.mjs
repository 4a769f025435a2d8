// The user of the clients in this folder: answers as those of the lesson "Build a
// client" do, so that what a report says is about the client's library.

// wanted reports whether a tool, prompt or resource is to be called.
export function wanted(name) {
  const only = process.env.MRTR_SCENARIO;
  return !only || name === only || name.endsWith(`/${only}`);
}

// answer returns the answer to the nth question of a call. The client test says
// in the name of a tool what it wants refused.
export async function answer(params, called, n) {
  const action = /decline|cancel/.exec(called)?.[0];
  if (action && (n === 2 || !called.endsWith('_one'))) return { action };
  if (params.mode !== 'url') return { action: 'accept', content: fill(params.requestedSchema) };
  if (!/^https?:/.test(params.url)) return { action: 'decline' };
  await fetch(params.url);
  return { action: 'accept' };
}

// The arguments that the client test asks for.
const asked = {
  mirror_unicode: { text: 'Größe' }, mirror_nothing: { text: null },
  mirror_sentinel: { text: '=?base64?YQ==?=' },
};

// fill returns values that fit a schema: those of a form, or the arguments of a
// tool.
export function fill(schema, tool) {
  return asked[tool] ?? Object.fromEntries(Object.entries(schema?.properties ?? {})
    .map(([name, field]) => [name, value(name, field)]));
}

function value(name, field) {
  const options = field.oneOf ?? field.anyOf;
  if ('default' in field) return field.default;
  if (field.enum) return field.enum[0];
  if (options) return options[0].const;
  switch (field.type) {
    case 'object': return fill(field);
    case 'array': return [value(name, field.items ?? {})];
    case 'boolean': return true;
    case 'integer': case 'number': return Math.max(field.minimum ?? 1, 1);
  }
  return { email: 'ada@example.com', date: '2026-07-28' }[field.format] ?? name;
}
