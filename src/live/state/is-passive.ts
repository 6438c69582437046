import type { ViewState } from './view-state.ts';

/** Whether all that is shown is of others, as behind a proxy: it has no mails to show, and takes no controls. */
export function isPassive({ snapshot }: ViewState): boolean {
  return snapshot?.parties.every(({ controls }) => controls.length === 0) === true;
}
