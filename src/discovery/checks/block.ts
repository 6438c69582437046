import {
  displayText,
  isJsonObject,
  type JsonObject,
  withoutFinalSlash,
} from '../../protocol/index.ts';
import type { MemberPath } from '../document.ts';
import { type Check, listOf, textOf } from './judged.ts';
import { CLAIM_NAMES } from './server-members.ts';

/** In the order in which agents believe them. */
const REGISTER_NAMES = ['identity_endpoint', 'registration_endpoint', 'register_uri'] as const;

/** What one name says and another denies, and what cannot be right together. */
export const checkBlock: Check = ({ blocks }, report) => {
  for (const { document, members, path } of blocks) {
    const about = { document: document.name };
    const claims = CLAIM_NAMES.flatMap((name) => textOf(members, name) ?? []);
    const [claim, otherClaim] = claims;
    if (claim !== undefined && otherClaim !== undefined && !isSame(claim, otherClaim)) {
      report({
        ...about,
        rule: 'claim-urls-differ',
        path: [...path, 'claim_uri'],
        message: 'claim_endpoint and claim_uri name different URLs.',
        instead: `"claim_uri": "${displayText(claim, 200)}"`,
      });
    }
    const register = REGISTER_NAMES.flatMap((name) => textOf(members, name) ?? [])[0];
    if (register !== undefined && claim !== undefined && isSame(register, claim)) {
      const isToken = isSame(textOf(document.json, 'token_endpoint') ?? '', register);
      report({
        ...about,
        rule: 'one-url-for-all',
        path: [...path, CLAIM_NAMES.find((name) => textOf(members, name) === claim) ?? ''],
        message: `Agents register${isToken ? ', claim and get tokens' : ' and claim'} at one URL.`,
        instead: 'Give each its own URL; leave out what does not exist.',
      });
    }
    if (!['skill', 'skill_uri', 'skill_url'].some((name) => Object.hasOwn(members, name))) {
      report({
        ...about,
        rule: 'skill-missing',
        path: [...path, 'skill'],
        message: 'It names no skill file.',
        instead: '"skill": the URL of auth.md',
      });
    }
    const types = listOf(members, 'identity_types_supported');
    const ofAssertion = members['identity_assertion'];
    const assertionTypes = isJsonObject(ofAssertion)
      ? ofAssertion['assertion_types_supported']
      : undefined;
    if (types.includes('identity_assertion') && !Array.isArray(assertionTypes)) {
      report({
        ...about,
        rule: 'assertion-types-missing',
        path: [...path, 'identity_assertion'],
        message: 'identity_assertion is listed, but not which assertions are taken.',
        instead:
          '"identity_assertion": { "assertion_types_supported": ["urn:ietf:params:oauth:token-type:id-jag"] }',
      });
    }
  }
};

function isSame(url: string, other: string): boolean {
  return withoutFinalSlash(url) === withoutFinalSlash(other);
}

/** Left by whoever filled in a template. Prose may say what it wants. */
const PLACEHOLDER =
  /\b(?:placeholder|todo|tbd|fixme|changeme|change-me|replace[-_ ]?me|lorem|your[-_ ]?(?:domain|api|site|host|service|company|app|url))\b|x{4,}|\.\.\.|…/i;

const URL_NAME =
  /(?:_endpoint|_ur[il])$|^(?:skill|issuer|resource|authorization_servers|service_documentation)$/;

/** Members that agents act on: URLs, and lists of names. */
export const checkPlaceholders: Check = ({ all }, report) => {
  for (const { json, name } of all) {
    walk(json, [], (path, text) => {
      const member = path.findLast((part) => typeof part === 'string') ?? '';
      if (!URL_NAME.test(member) && !member.endsWith('_supported')) return;
      const found = PLACEHOLDER.exec(text)?.[0];
      if (found === undefined) return;
      report({
        rule: 'placeholder',
        document: name,
        path,
        message: `${displayText(text, 100)} has not been filled in (${displayText(found, 30)}).`,
        instead: 'Write what is there, or leave the member out.',
      });
    });
  }
};

/** Lists of names in which a reader would not find one. */
export const checkLists: Check = ({ all }, report) => {
  for (const { json, name } of all) {
    walkObjects(json, [], (object, path) => {
      for (const [member, value] of Object.entries(object)) {
        const isList = /_supported$|^authorization_servers$/.test(member);
        // Of identity types a rule of its own says more; a boolean is no list, and no mistake.
        if (!isList || member.endsWith('identity_types_supported')) continue;
        if (typeof value === 'boolean' || isJsonObject(value)) continue;
        if (Array.isArray(value) && value.every((each) => typeof each === 'string')) continue;
        report({
          rule: 'list-not-strings',
          document: name,
          path: [...path, member],
          message: Array.isArray(value)
            ? `${member} holds something other than names.`
            : `${member} is no list.`,
          instead: `"${member}": ["…", "…"]`,
        });
      }
    });
  }
};

function walkObjects(
  value: unknown,
  path: MemberPath,
  see: (object: JsonObject, path: MemberPath) => void,
): void {
  if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) walkObjects(each, [...path, at], see);
  } else if (isJsonObject(value)) {
    see(value, path);
    for (const [name, member] of Object.entries(value)) walkObjects(member, [...path, name], see);
  }
}

function walk(
  value: unknown,
  path: MemberPath,
  see: (path: MemberPath, text: string) => void,
): void {
  if (typeof value === 'string') see(path, value);
  else if (Array.isArray(value)) {
    for (const [at, each] of value.entries()) walk(each, [...path, at], see);
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) walk(member, [...path, name], see);
  }
}
