// Starts the host of the last release on a database that this release has migrated, as when a release is taken back.
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { startHostProcess } from './host-process.ts'
import { fail, report, run } from './steps.ts'

/** Installing the release and its first start. It only ends what hangs. */
const START_MS = 600_000

/** The newest of the tags that `changeset tag` makes for releases of core, without prereleases; undefined before the first one. */
function lastRelease(tags: readonly string[]): string | undefined {
  const versionOf = (tag: string) => /^@eep\/core@(\d+)\.(\d+)\.(\d+)$/.exec(tag)?.slice(1).map(Number)
  const releases = tags.flatMap((tag) => {
    const version = versionOf(tag)
    return version ? [{ tag, version }] : []
  })
  releases.sort((left, right) => {
    const different = left.version.findIndex((part, index) => part !== right.version[index])
    return different < 0 ? 0 : (right.version[different] ?? 0) - (left.version[different] ?? 0)
  })
  return releases[0]?.tag
}

/**
 * Checks out the last release of this repository in `target`, starts its example host on the data directory of a host of this release,
 * and writes and reads through it. Ends the process when that fails. Does nothing before the first release.
 */
export async function checkUpgrade(root: string, target: string, dataDirectory: string): Promise<void> {
  const started = performance.now()
  const tag = lastRelease(run('list the releases', ['git', 'tag', '--list'], root).split('\n'))
  if (tag === undefined) {
    console.log('-- no release is tagged, so none is started on the schema of this one')
    return
  }
  run(`check out ${tag}`, ['git', 'worktree', 'add', '--detach', target, tag], root)
  process.once('exit', () => spawnSync('git', ['worktree', 'remove', '--force', target], { cwd: root }))
  const host = await startHostProcess(`the host of ${tag}`, ['node', 'scripts/run.mjs', 'start'], {
    cwd: target,
    limitMs: START_MS,
    env: { EEP_DATA_DIR: dataDirectory },
  })
  // A busy machine may need seconds for the first query. The time limit of the process ends the wait.
  while ((await fetch(`${host.url}/health/ready`)).status !== 200) await sleep(1_000)
  const username = `upgrade-${Date.now()}`
  const registration = { username, email: `${username}@example.com`, password: 'Correct horse 7 battery' }
  const requests: readonly (readonly [path: string, status: number, init?: RequestInit])[] = [
    ['/o/demo', 200],
    [
      '/auth/register',
      201,
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(registration) },
    ],
    [`/u/${username}`, 200],
  ]
  for (const [path, expected, init] of requests) {
    const response = await fetch(host.url + path, init)
    const body = await response.text()
    if (response.status !== expected) fail(`${path} of ${tag}`, `${response.status} ${body}\n${host.errors()}`)
  }
  await host.stop()
  report(`start the host of ${tag} on the schema of this release`, started)
}
