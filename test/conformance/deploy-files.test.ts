import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '@eep/core/host'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { host } from '../../packages/host-example/src/host.ts'

const HOST = join(import.meta.dirname, '../../packages/host-example')
const runHost = await readFile(join(import.meta.dirname, '../../packages/core/src/host/run-host.ts'), 'utf8')
/** The value of a number in `run-host.ts`. */
const secondsOf = (name: string) => Number(new RegExp(` ${name} = ([\\d_]+)`).exec(runHost)?.[1]?.replaceAll('_', ''))
const SYSTEMD_ANALYZE = '/usr/bin/systemd-analyze'
const UNIT = join(HOST, 'deploy/systemd/eep.service')
/** How long a stopping host may take, in seconds. */
const STOP_SECONDS = 15
/** From SIGTERM to the end of the process, as `runHost` limits it by default. */
const HOST_STOPS_WITHIN_SECONDS = secondsOf('DRAIN_SECONDS') + secondsOf('STOPPED_WITHIN_MS') / 1_000

const dockerfile = await readFile(join(HOST, 'Dockerfile'), 'utf8')
const unit = await readFile(UNIT, 'utf8')
const [deployment, service, budget] = parseAllDocuments(
  await readFile(join(HOST, 'deploy/kubernetes/eep.yaml'), 'utf8'),
).map((document) => document.toJS())
const pod = deployment.spec.template

it('starts the host on systemd as the image does', () => {
  const [program, ...flags] = JSON.parse(/^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]')
  expect(unit).toContain(`ExecStart=/usr/bin/${[program, ...flags].join(' ')}`)
})

it('keeps optional packages in the image, because sharp draws pictures with them', () => {
  expect(dockerfile).toMatch(/deploy --prod \/app/)
  expect(dockerfile).not.toMatch(/no-optional|omit=optional/)
})

it.skipIf(!existsSync(SYSTEMD_ANALYZE))('the systemd unit is accepted by systemd', async () => {
  const { stderr } = await promisify(execFile)(SYSTEMD_ANALYZE, ['verify', '--man=no', UNIT])
  // Node may be elsewhere on this machine.
  expect(stderr.split('\n').filter((line) => line.includes('eep.service') && !line.includes('/usr/bin/node'))).toEqual(
    [],
  )
})

it('gives a stopping host the same time on systemd, Kubernetes and Docker Compose', async () => {
  expect(unit).toContain(`TimeoutStopSec=${STOP_SECONDS}\n`)
  expect(pod.spec.terminationGracePeriodSeconds).toBe(STOP_SECONDS)
  expect(await readFile(join(HOST, 'compose.yaml'), 'utf8')).toContain(`stop_grace_period: ${STOP_SECONDS}s`)
})

it('keeps a pod serving while it is removed, and leaves the host time to stop', () => {
  const [{ lifecycle }] = pod.spec.containers
  expect(lifecycle.preStop.sleep.seconds).toBeGreaterThan(2)
  expect(lifecycle.preStop.sleep.seconds + HOST_STOPS_WITHIN_SECONDS).toBeLessThan(STOP_SECONDS)
  expect(deployment.spec.strategy.rollingUpdate).toMatchObject({ maxUnavailable: 0 })
})

it('the Kubernetes service and disruption budget select the pods of the deployment', () => {
  const { labels } = pod.metadata
  expect(deployment.spec.selector.matchLabels).toEqual(labels)
  expect(service.spec.selector).toEqual(labels)
  expect(budget.spec.selector.matchLabels).toEqual(labels)
  expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas)
})

it('the Kubernetes probes use paths and ports of the host, with time for a part that does not respond', () => {
  const [{ startupProbe, livenessProbe, readinessProbe, ports }] = pod.spec.containers
  const names = ports.map(({ name }: { name: string }) => name)
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) expect(names).toContain(httpGet.port)
  expect([startupProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual(['/health/live', '/health/live'])
  expect(readinessProbe).toMatchObject({ httpGet: { path: '/health/ready' }, timeoutSeconds: 5 })
})

it('sets variables that the host knows, and mounts what a read-only container writes to', () => {
  const [{ env, volumeMounts }] = pod.spec.containers
  const variables: [string, string][] = env.map(({ name, value }: { name: string; value: string }) => [name, value])
  expect(readConfig(host, Object.fromEntries(variables)).warnings).toEqual([])
  const dataDir = /EEP_DATA_DIR=(\S+)/.exec(dockerfile)?.[1]
  const paths = volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
  expect(paths).toEqual(expect.arrayContaining([dataDir, '/tmp']))
})

it('decides about build scripts in created hosts, so that installs by pnpm succeed', async () => {
  const { allowBuilds } = parse(await readFile(join(HOST, 'template/pnpm-workspace.yaml'), 'utf8'))
  expect(allowBuilds).toEqual({ argon2: false })
})
