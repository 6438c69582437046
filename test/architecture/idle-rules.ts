import { type Architecture, covers, folderOf, type Limits, target } from './check.ts';
import { type ModuleFacts, readModule, type SourceFile } from './read-module.ts';

/** Entries of the rules that match no file or no import of `files`, each as one line. */
export function idleRules(files: readonly SourceFile[], architecture: Architecture): string[] {
  const modules = files.map(readModule);
  return [
    ...idleRows(modules, architecture),
    ...idleNames(modules, architecture),
    ...idlePlaces(modules, architecture),
    ...idleLayers(files, modules, architecture),
  ];
}

function idleRows(modules: readonly ModuleFacts[], { table }: Architecture): string[] {
  return Object.entries(table).flatMap(([folder, { folders, packages }]) => {
    const own = modules.filter(({ path }) => folderOf(path) === folder);
    return [
      ...folders
        .filter((other) => !own.some((module) => importsFolder(module, other)))
        .map((other) => `table: ${folder} imports nothing of ${other}`),
      ...Object.entries(packages)
        .filter(([name, limits]) => !own.some((module) => importsPackage(module, name, limits)))
        .map(([name]) => `table: ${folder} imports ${name} nowhere that allows it`),
    ];
  });
}

function idleNames(modules: readonly ModuleFacts[], architecture: Architecture): string[] {
  return architecture.names.flatMap(({ from, folders }) =>
    folders
      .filter(
        (folder) => !modules.some((module) => isIn(module, folder) && importsFolder(module, from)),
      )
      .map((folder) => `names: ${folder} imports nothing of ${from}`),
  );
}

function idlePlaces(modules: readonly ModuleFacts[], architecture: Architecture): string[] {
  const { behindDoors, oneFile, outside, effectsIn } = architecture;
  return [
    ...behindDoors
      .filter((folder) => !modules.some((module) => isIn(module, folder) && passesDoor(module)))
      .map((folder) => `behindDoors: ${folder} imports no file behind a door`),
    ...oneFile
      .filter((name) => !modules.some((module) => importsPackage(module, name, {})))
      .map((name) => `oneFile: nobody imports ${name}`),
    ...outside
      .filter(
        ({ from, to }) =>
          !modules.some(
            (module) => from.test(module.path) && targets(module).some((at) => to.test(at)),
          ),
      )
      .map(({ from, to }) => `outside: no import of ${to} in ${from}`),
    ...effectsIn
      .filter(
        (place) => !modules.some(({ path, ambient }) => place.test(path) && ambient.length > 0),
      )
      .map((place) => `effectsIn: no effect in ${place}`),
  ];
}

function idleLayers(
  files: readonly SourceFile[],
  modules: readonly ModuleFacts[],
  architecture: Architecture,
): string[] {
  return architecture.topLayers.flatMap(({ folders, at, word, mayNameIt, mayImportIt }) => [
    ...folders
      .filter((folder) => !modules.some((module) => isIn(module, folder) && at.test(module.path)))
      .map((folder) => `topLayers: ${folder} has no ${at}`),
    ...mayNameIt
      .filter((place) => !files.some(({ path, text }) => place.test(path) && word.test(text)))
      .map((place) => `topLayers: no ${word} in ${place}`),
    ...mayImportIt
      .filter(
        (place) =>
          !modules.some(
            (module) => place.test(module.path) && targets(module).some((to) => at.test(to)),
          ),
      )
      .map((place) => `topLayers: no import of ${at} in ${place}`),
  ]);
}

function isIn({ path }: ModuleFacts, folder: string): boolean {
  return folderOf(path) === folder;
}

function importsFolder(module: ModuleFacts, folder: string): boolean {
  return targets(module).some((to) => folderOf(to) === folder);
}

function importsPackage({ path, imports }: ModuleFacts, name: string, limits: Limits): boolean {
  if (limits.in !== undefined && !limits.in.test(path)) return false;
  return imports.some(({ specifier = '' }) => covers(name, specifier));
}

function passesDoor(module: ModuleFacts): boolean {
  return targets(module).some(
    (to) => folderOf(to) !== folderOf(module.path) && !/^src\/[^/]+\/index\.ts$/.test(to),
  );
}

function targets(module: ModuleFacts): readonly string[] {
  return module.imports.flatMap((each) => target(module.path, each));
}
