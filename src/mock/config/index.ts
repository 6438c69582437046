export { addedMembers, type DocumentMembers, memberProblem } from './document-members.ts';
export { isLifetime, resolveLifetimes } from './lifetimes.ts';
export { shownName } from './shown-name.ts';
export { wrongOption } from './wrong-option.ts';
