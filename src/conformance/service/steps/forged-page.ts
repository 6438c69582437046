import type { Page } from '../../pages/visitor.ts';

/** The owner's page, with the hidden values of the other user's own where both have one of that name. */
export function forgedPage(owners: Page, others: Page): Page {
  const own = others.forms
    .flatMap(({ values }) => Object.entries(values))
    .filter(([name]) => !/attempt|code/.test(name));
  return {
    ...owners,
    forms: owners.forms.map((form) => ({
      ...form,
      values: {
        ...form.values,
        ...Object.fromEntries(own.filter(([name]) => name in form.values)),
      },
    })),
  };
}
