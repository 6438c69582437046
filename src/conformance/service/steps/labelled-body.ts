import { MEDIA_TYPE } from '../../../protocol/index.ts';

/** Members of a request, as JSON and as a form hold them. */
export type Members = Readonly<Record<string, string>>;

/** What a body is, and the media type that it is sent with; undefined: with none. */
export interface Label {
  readonly is: 'json' | 'form';
  readonly as: string | undefined;
}

const IS = { json: 'JSON', form: 'a form' } as const;

/** A right body under a label that may be that of something else. */
export function labelled(
  members: Members,
  { is, as }: Label,
): { readonly what: string; readonly type: string | undefined; readonly body: string } {
  const body = is === 'json' ? JSON.stringify(members) : new URLSearchParams(members).toString();
  const isOwn = as === MEDIA_TYPE[is];
  const label = as === undefined ? ' without a media type' : ` labelled ${as}`;
  return { what: `${IS[is]}${isOwn ? '' : label}`, type: as, body };
}
