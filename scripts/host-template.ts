// Creates a standalone project from the example host: sources, manifest, Dockerfile, compose file and README.
import { cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readManifest, type Tarball } from './pack-release.ts'

const root = join(import.meta.dirname, '..')
const source = join(root, 'packages/host-example')
const template = join(source, 'template')

/** What only the repository uses: tests, the demo with its chain and client, and the command line of sources that are not built. */
const LEFT_OUT = /\.test\.ts$|^demo(?:-\w+)?\.ts$|^eep\.ts$/

/** The range of versions that starts with the one installed here. */
function installedRange(name: string): string {
  const folder = [source, root].map((from) => join(from, 'node_modules', name)).find((path) => existsSync(path))
  if (!folder) throw new Error(`${name} is not installed; run npm test once`)
  return `^${readManifest(folder).version}`
}

function manifestOf(name: string, tarballs: ReadonlyMap<string, string>) {
  const { engines, dependencies = {} } = readManifest(source)
  const versionOf = (dependency: string) => tarballs.get(dependency) ?? installedRange(dependency)
  const versions = (names: readonly string[]) => Object.fromEntries(names.map((each) => [each, versionOf(each)]))
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines,
    scripts: {
      start: 'node --env-file-if-exists=.env src/main.ts',
      doctor: 'eep doctor',
      // The command of the installed `@eep/core`.
      eep: 'eep',
      check: 'tsc',
    },
    dependencies: versions(Object.keys(dependencies)),
    devDependencies: versions(['@types/node', '@types/pg', 'typescript']),
  }
}

/** The part of a text from a mark on; a file that has changed beyond recognition is an error and not an empty copy. */
function from(mark: string, file: string): string {
  const text = readFileSync(join(source, file), 'utf8')
  const start = text.indexOf(mark)
  if (start < 0) throw new Error(`${file} has no ${JSON.stringify(mark)}; scripts/host-template.ts depends on it`)
  return text.slice(start)
}

const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The address of the repository, as links in files outside of it need it. */
const REPOSITORY = `${homepage.replace('#readme', '')}/blob/main/`

/** The files that differ from those of the repository, by name. */
function rewritten(name: string): Readonly<Record<string, string>> {
  const filled = (file: string) => readFileSync(join(template, file), 'utf8').replaceAll('{{name}}', name)
  const readme = from('## Configuration', 'README.md')
    .split('\n')
    .filter((line) => !/`(?:demo|eep)\.ts`/.test(line))
    .join('\n')
    .replaceAll('](../../', `](${REPOSITORY}`)
  const compose = readFileSync(join(source, 'compose.yaml'), 'utf8')
    .replace(/build:\n\s+context: \.\.\/\.\.\n\s+dockerfile: \S+/, 'build: .')
    .replaceAll(' -f packages/host-example/compose.yaml', '')
    .replaceAll('packages/host-example/', '')
  if (/\.\.\/\.\.|host-example/.test(compose)) throw new Error('compose.yaml names files outside of the host')
  return {
    'README.md': `${filled('README.md')}\n${readme}`,
    Dockerfile: `${filled('Dockerfile.build')}\n${from('FROM node:24-bookworm-slim\n', 'Dockerfile')}`,
    'compose.yaml': compose,
    '.gitignore': filled('gitignore'),
    '.dockerignore': filled('dockerignore'),
    'tsconfig.json': filled('tsconfig.json'),
    'pnpm-workspace.yaml': filled('pnpm-workspace.yaml'),
    '.env.example': readFileSync(join(source, '.env.example'), 'utf8'),
  }
}

/**
 * Copies the example host into `target`, an absolute path that must not exist or must be empty. With `tarballs` its packages are these,
 * copied beside it; otherwise those of npm.
 */
export function createHost(target: string, tarballs: readonly Tarball[] = []): void {
  if (existsSync(target) && readdirSync(target).length > 0) throw new Error(`${target} is not empty`)
  mkdirSync(join(target, 'src'), { recursive: true })
  for (const file of globSync('**/*.ts', { cwd: join(source, 'src') })) {
    if (!LEFT_OUT.test(file)) cpSync(join(source, 'src', file), join(target, 'src', file))
  }
  cpSync(join(source, 'deploy'), join(target, 'deploy'), { recursive: true })
  for (const { path } of tarballs) cpSync(path, join(target, 'packages', basename(path)))
  const packed = new Map(tarballs.map(({ name, path }) => [name, `file:packages/${basename(path)}`]))
  const name = basename(target)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifestOf(name, packed), null, 2)}\n`)
  for (const [file, text] of Object.entries(rewritten(name))) writeFileSync(join(target, file), text)
}
