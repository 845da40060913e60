// Checks the imports against .dependency-cruiser.cjs. The tool is also content when it understood no file at all (with
// a TypeScript it does not know, for one), so the files it saw are counted.
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

interface Report {
  readonly summary: {
    readonly totalCruised: number
    readonly totalDependenciesCruised: number
    readonly violations: readonly { from: string; to: string; rule: { name: string }; cycle?: { name: string }[] }[]
  }
}

const root = join(import.meta.dirname, '..')
const folders = ['packages', 'examples', 'test', 'bench'].flatMap((top) =>
  globSync(top === 'packages' ? 'packages/*/src' : `${top}/src`, { cwd: root }),
)
const sources = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))

const cruise = spawnSync('depcruise', ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 256 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
})
if (cruise.error) throw cruise.error
const { summary } = JSON.parse(cruise.stdout) as Report

for (const { rule, from, to, cycle } of summary.violations) {
  console.error(`${rule.name}: ${from} → ${cycle ? cycle.map(({ name }) => name).join(' → ') : to}`)
}
if (summary.totalCruised < sources.length) {
  console.error(`${summary.totalCruised} files were read, but there are ${sources.length}`)
}
if (summary.violations.length > 0 || summary.totalCruised < sources.length) process.exit(1)
console.log(`boundaries: ${sources.length} files, ${summary.totalDependenciesCruised} imports, no violation`)
