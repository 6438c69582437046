import type { Context } from '../http/index.ts';
import { isFromOwnPage, type RequestSource } from './request-origin.ts';

/** How a request of our own page is recognized. */
export interface CsrfRules {
  isFromOwnPage(source: RequestSource, own: string): boolean;
  /** The token that comes in a header, where a form brings none. */
  headerToken(c: Context): string | undefined;
}

export const CSRF_RULES: CsrfRules = {
  isFromOwnPage,
  headerToken: (c) => c.req.header('x-csrf-token'),
};
