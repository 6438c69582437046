import { Converter, ReflectionKind, ReflectionType, UnknownType } from 'typedoc';

/** A constant with more members is a table: a page of docs/ or its own source shows them. */
const MOST_MEMBERS = 40;

/**
 * Names each module as it is imported, and leaves out what makes pages long and says little.
 *
 * @param {import('typedoc').Application} app
 * @param {readonly { door: string, file: string }[]} doors
 */
export function shorten(app, doors) {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_context, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    const found = doors.find(({ file }) => pathOf(file) === pathOf(reflection.name));
    if (found === undefined) throw new Error(`${reflection.name} is the file of no door.`);
    reflection.name = found.door.replace('agent-auth/', '');
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const variable of project.getReflectionsByKind(ReflectionKind.Variable)) {
      const { type } = variable;
      if (!(type instanceof ReflectionType) || members(type.declaration) <= MOST_MEMBERS) continue;
      project.removeReflection(type.declaration);
      variable.type = new UnknownType('{ … }');
    }
    for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
      if (parameter.name === '__namedParameters') parameter.name = 'options';
    }
    for (const made of project.getReflectionsByKind(ReflectionKind.Constructor)) {
      // Of Error: it says nothing of ours.
      if (made.inheritedFrom?.name.startsWith('Error')) project.removeReflection(made);
    }
  });
}

/** @param {string} file */
function pathOf(file) {
  return file.replace(/^.*dist\/types\//, '').replace(/(\/index)?(\.d)?(\.ts)?$/, '');
}

/** @param {import('typedoc').DeclarationReflection} declaration @returns {number} */
function members({ children = [] }) {
  return children.reduce(
    (sum, { type }) => sum + 1 + (type instanceof ReflectionType ? members(type.declaration) : 0),
    0,
  );
}
