import type { Registration } from './service.ts';

export const PRE_CLAIM: readonly string[] = ['api.read'];
export const POST_CLAIM: readonly string[] = ['api.read', 'api.write'];

export function scopesOf(registration: Registration): readonly string[] {
  return registration.status === 'claimed' ? POST_CLAIM : PRE_CLAIM;
}
