import { table } from '../docs/markdown.js';

/** @typedef {import('./published-schemas.js').Published} Published */

const HEADINGS = /** @type {const} */ ({
  wire: 'Messages of the protocol',
  file: 'Files',
  output: 'What the program prints',
});

/**
 * The index of what docs/schemas holds.
 *
 * @param {readonly Published[]} schemas
 */
export function schemasPage(schemas) {
  const kinds = /** @type {(keyof typeof HEADINGS)[]} */ (Object.keys(HEADINGS));
  const parts = kinds.map((kind) => {
    const rows = schemas
      .filter((each) => each.kind === kind)
      .map(({ name, schema }) => [
        `[\`${name}\`](schemas/${name}.json)`,
        `${escaped(kind === 'output' ? `\`${schema['title']}\`` : schema['title'])}`,
        escaped(schema['description']),
      ]);
    return `## ${HEADINGS[kind]}\n\n${table(['name', kind === 'output' ? 'schema' : 'title', 'description'], rows)}`;
  });
  return `${[
    '# JSON Schemas',
    '<!-- Written by scripts/schemas.js from the schemas and types of src. -->',
    INTRODUCTION,
    ...parts,
  ].join('\n\n')}\n`;
}

/** @param {unknown} text */
function escaped(text) {
  return String(text).replaceAll('|', '\\|');
}

const INTRODUCTION = `Each is JSON Schema 2020-12 and comes with the package as \`agent-auth/schemas/NAME.json\`; its \`$id\` is \`urn:agent-auth:schema:NAME\`. They are generated from what the code checks and prints, so they change with it. Members that a schema does not name are allowed: a reader ignores what it does not know.

\`\`\`js
// schema.mjs
import schema from 'agent-auth/schemas/token-response.json' with { type: 'json' };

console.log(schema.$id, schema.required);
\`\`\`

\`\`\`sh
node schema.mjs
\`\`\`

\`\`\`text
urn:agent-auth:schema:token-response [ 'access_token', 'token_type' ]
\`\`\`

The messages are those of [the wire contract](wire-contract.md), as the dialect \`flat\` spells them; what another dialect sends is in the [OpenAPI document](mocks.md#openapi) of a mock that speaks it. Beside them, the package has:

- \`agent-auth/requirements.json\`: every requirement that the [conformance suite](conformance.md) judges by, with its level, its sources and its checks; in the form of \`requirements\` below.
- \`agent-auth/transcripts/NAME.json\`: golden transcripts, one for each dialect and flow, such as \`flat-claimed-afterwards\`; in the form of \`transcript\` below. Each was made by a real run of the agent against the mock service on a clock that stands still, and has names in the place of secrets. [replay.md](replay.md) plays either side of one.

| flow | what happens |
|---|---|
| \`anonymous\` | registers for itself and calls |
| \`claimed-afterwards\` | the same, and its user claims it |
| \`by-email\` | registers for a user by email, who claims it |
| \`by-id-jag\` | registers with an ID-JAG of a trusted provider |
| \`link-confirmed\` | the same for an account that exists: its user confirms |
| \`wrong-code\`, \`expiry\`, \`re-open\`, \`denial\` | what can go wrong in a claim |
| \`code-before-its-confirmation\` | the code is handed in before the user has confirmed |
| \`assertion-renewed\` | the assertion has ended and is renewed |
| \`token-revoked-by-the-agent\`, \`revocation\` | how access ends |`;
