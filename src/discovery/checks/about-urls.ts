import { defect, type Place, type Read } from '../defect.ts';
import type { Defect, DocumentName } from '../model.ts';
import { memberOf, objectOf, shown } from '../read.ts';
import { isInsecure, isRelative, webUrl } from '../url.ts';

const URL_NAMES = /(_endpoint|_uri|_url)$|^skill$/;

/** Every member that should hold a URL, in the server's document and in the block. */
export function aboutUrls({ found, at }: Read): readonly Defect[] {
  const { block, document, server } = found;
  const list: Defect[] = [];
  const objects: (readonly [DocumentName, string, Readonly<Record<string, unknown>>])[] = [
    ['server', '', server],
  ];
  if (block !== undefined && found.at !== '') {
    objects.push([document, 'agent_auth.', block]);
    for (const type of ['anonymous', 'identity_assertion', 'service_auth', 'verified_email']) {
      objects.push([document, `agent_auth.${type}.`, objectOf(memberOf(block, type))]);
    }
  } else if (block !== undefined && document === 'resource') {
    objects.push(['resource', '', block]);
  }
  for (const [its, prefix, object] of objects) {
    for (const [name, value] of Object.entries(object).slice(0, 200)) {
      if (!URL_NAMES.test(name) && !(prefix === '' && name === 'issuer')) continue;
      const found = urlDefect([its, prefix + shown(name, 60)], value, at);
      if (found !== undefined) list.push(found);
    }
  }
  return list;
}

function urlDefect(where: Place, value: unknown, at: string | undefined): Defect | undefined {
  const isSkill = where[1].endsWith('skill');
  if (typeof value !== 'string') {
    const what = value === null ? 'null' : 'not text';
    return defect('not-a-url', 'error', where, `It is ${what}.`, 'Give a URL, or leave it out.');
  }
  const text = value.trim();
  if (/[{}<>]/.test(text) && /^(https?:|\/)/.test(text)) {
    return defect(
      'url-template',
      'error',
      where,
      `${shown(text)} has a blank to fill in: no agent can call it.`,
      'Give a URL that works as it stands; an answer may name one of its own.',
    );
  }
  if (isRelative(text)) {
    return defect(
      'relative-url',
      'error',
      where,
      `${shown(text)} names no host.`,
      'Give the whole URL.',
    );
  }
  const url = webUrl(text);
  if (url === undefined) {
    return isSkill
      ? defect(
          'skill-not-a-url',
          'warning',
          where,
          'It is no URL.',
          'Name the URL of the skill file.',
        )
      : defect(
          'not-a-url',
          'error',
          where,
          `${shown(text)} is not a URL of https.`,
          'Give a URL that an agent can call, or leave it out.',
        );
  }
  if (isInsecure(url, at)) {
    const here = webUrl(at)?.protocol === 'https:' ? ', in a document that came by https' : '';
    return defect(
      'insecure-url',
      'error',
      where,
      `${shown(text)} is of http${here}: agents refuse it.`,
      'Use https.',
    );
  }
  return undefined;
}
