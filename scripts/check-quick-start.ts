// Follows docs/start/quick-start.md from tarballs: installs what the page installs, runs its sale, and compares the output.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tarball } from './pack-release.ts'
import { fail, report, run } from './steps.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/start/quick-start.md'), 'utf8')

/** A part of the page, or the end of the process when it lacks that part. */
function partOf(pattern: RegExp): string {
  const part = pattern.exec(page)?.[1]
  if (part === undefined) fail('read the quick start', `nothing matches ${pattern}`)
  return part
}

/** Makes the sale of the quick start in `target` and ends the process when its output differs from that of the page. */
export function checkQuickStart(target: string, tarballs: readonly Tarball[]): void {
  const names = partOf(/^npm install (@eep\/core .+)$/m).split(' ')
  const program = partOf(/<!-- example: first-sale\.ts -->\n```ts\n([\s\S]*?)^```$/m)
  const output = partOf(/^node first-sale\.ts\n```\n\n```text\n([\s\S]*?)^```$/m)

  mkdirSync(target)
  const paths = new Map(tarballs.map(({ name, path }) => [name, `file:${path}`]))
  writeFileSync(join(target, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  writeFileSync(join(target, 'first-sale.ts'), program)
  const wanted = names.map((name) => paths.get(name) ?? name)
  run(
    'install what the quick start installs',
    ['npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', ...wanted],
    target,
  )

  const started = performance.now()
  const { stdout, stderr } = spawnSync('node', ['first-sale.ts'], { cwd: target, encoding: 'utf8' })
  if (stdout !== output) fail('make the sale of the quick start', `expected:\n${output}\ngot:\n${stdout}\n${stderr}`)
  report('make the sale of the quick start', started)
}
