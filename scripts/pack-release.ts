// Packs the published packages as the next release will publish them: versions and changelogs come from the changesets, in a
// copy, so that nothing changes here.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type PackedManifest, type PackedPackage, packageProblems } from './package-rules.ts'
import { fail, run } from './steps.ts'

const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules', '.bin')

/** The manifest of a package in a folder. */
export const readManifest = (folder: string): PackedManifest & { readonly private?: boolean } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const { devEngines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
export const pnpm = ['npx', '--yes', '--loglevel=error', `pnpm@${devEngines.packageManager.version}`]

/** The folders of the packages that are published. */
export const packageFolders: readonly string[] = globSync('packages/*/package.json', { cwd: root })
  .map((path) => join(root, dirname(path)))
  .filter((folder) => !readManifest(folder).private)
  .sort()

export interface Tarball {
  readonly name: string
  readonly version: string
  readonly path: string
}

/** A copy of what `pnpm publish` reads, with the versions and changelogs of the next release. */
function stageRelease(stage: string): void {
  for (const file of ['package.json', 'pnpm-workspace.yaml', 'LICENSE', '.changeset']) {
    cpSync(join(root, file), join(stage, file), { recursive: true })
  }
  for (const folder of packageFolders) {
    const copy = folder.replace(root, stage)
    for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'dist', 'node_modules/@eep']) {
      const original = join(folder, file)
      if (existsSync(original)) cpSync(original, join(copy, file), { recursive: true, verbatimSymlinks: true })
    }
  }
  run('version the release', ['node', join(root, 'node_modules/@changesets/cli/bin.js'), 'version'], stage)
}

function unpack(tarball: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('tar', [...args, tarball], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) fail(`unpack ${tarball}`, stderr)
  return stdout
}

function readTarball(path: string): PackedPackage {
  const text = (file: string) => unpack(path, '--extract', '--to-stdout', `package/${file}`, '--file')
  const files = unpack(path, '--list', '--file')
    .split('\n')
    .filter((file) => file && !file.endsWith('/'))
  return {
    manifest: JSON.parse(text('package.json')),
    files: files.map((file) => file.replace(/^package\//, '')),
    readme: text('README.md'),
  }
}

/** Builds and packs every published package into `destination`, and ends the process when one may not be published. */
export function packRelease(destination: string): readonly Tarball[] {
  const stage = join(destination, 'stage')
  const packed = join(destination, 'tarballs')
  for (const folder of [stage, packed]) mkdirSync(folder, { recursive: true })
  for (const folder of packageFolders) run(`build ${readManifest(folder).name}`, [join(bin, 'tsup')], folder)
  stageRelease(stage)
  return packageFolders.map((folder) => {
    const copy = folder.replace(root, stage)
    const { name, version } = readManifest(copy)
    run(`pack ${name} ${version}`, [...pnpm, 'pack', '--pack-destination', packed], copy)
    const path = join(packed, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
    const problems = packageProblems(readTarball(path))
    if (problems.length > 0) fail(`rules for ${name}`, problems.join('\n'))
    return { name, version, path }
  })
}

/** Goes through a release without sending it: as the release workflow publishes, and as npm judges each tarball. */
export function rehearseRelease(destination: string, tarballs: readonly Tarball[]): void {
  const everything = [...pnpm, '--recursive', 'publish', '--no-git-checks', '--dry-run']
  const output = run('pnpm publish --dry-run', everything, join(destination, 'stage'))
  for (const { name, version, path } of tarballs) {
    if (!output.includes(`${name}@${version}`))
      fail('pnpm publish --dry-run', `${name}@${version} is missing:\n${output}`)
    const what = `npm publish --dry-run ${name}`
    const said = run(what, ['npm', 'publish', '--dry-run', path], destination)
    // npm silently fixes a manifest and then publishes something else than what was checked.
    if (/auto-corrected|errors corrected/i.test(said)) fail(what, said)
  }
}
