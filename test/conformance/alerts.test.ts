import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { prometheusMetrics } from '@eep/core/metrics'
import type { Storage } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createTestApp, openStorage, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { until } from '../support/host.ts'
import { kindOf, openEnd } from '../support/jobs.ts'
import { measuring, readMetrics, readSamples, type Sample, sumOf } from '../support/metrics.ts'
import { readPromql, samplesOver } from '../support/promql.ts'
import { createCashApp, openShop } from '../support/shop.ts'

const DEPLOY = join(import.meta.dirname, '../../packages/host-example/deploy')
const RULES = join(DEPLOY, 'prometheus/eep-alerts.yaml')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook: string }
}
interface Panel {
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[]
}

const { groups }: { groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] } = parse(
  await readFile(RULES, 'utf8'),
)
const rules = groups.flatMap((group) => group.rules)
const { panels }: { panels: readonly Panel[] } = JSON.parse(
  await readFile(join(DEPLOY, 'grafana/eep-dashboard.json'), 'utf8'),
)

const ruleOf = (alert: string): Rule => {
  const rule = rules.find((each) => each.alert === alert)
  if (!rule) throw new Error(`There is no alert ${alert}`)
  return rule
}

/** An expression of a panel, as Grafana sends it. */
const filledIn = (expr: string) => expr.replaceAll('$__rate_interval', '5m')

/** Labels that Prometheus adds to each sample, and that of buckets. */
const ADDED = ['job', 'instance', 'le']

/** The labels of each metric by the name of its samples, from the comments that describe the metrics and their definitions. */
async function knownMetrics(): Promise<ReadonlyMap<string, readonly string[]>> {
  const known = new Map<string, string[]>([['up', []]])
  const registry = prometheusMetrics()
  const note = (kind: string, name: string, labels: readonly string[]) => {
    const samples = kind === 'histogram' ? ['_bucket', '_count', '_sum'].map((end) => name + end) : [name]
    for (const sample of samples) known.set(sample, [...labels])
  }
  const { close } = await createTestApp({
    metrics: {
      registry: {
        counter: (metric) => {
          note(metric.kind, metric.name, metric.labels)
          return () => {}
        },
        histogram: (metric) => {
          note(metric.kind, metric.name, metric.labels)
          return () => () => {}
        },
        observe: (metric) => note(metric.kind, metric.name, metric.labels),
        render: async () => ({ contentType: 'text/plain', body: '' }),
      },
    },
  })
  await close()
  // Those of the process, which prom-client defines.
  for (const { name, labels } of readSamples((await registry.render()).body)) {
    known.set(name, [...(known.get(name) ?? []), ...Object.keys(labels)])
  }
  return known
}

const known = await knownMetrics()

/** The metrics in an expression that no service has. */
function mistakesIn(expression: string): readonly string[] {
  const { selectors, grouping } = readPromql(filledIn(expression))
  const labels = selectors.flatMap(({ metric }) => known.get(metric) ?? [])
  return [
    ...selectors.flatMap(({ metric, matchers }) => {
      const own = known.get(metric)
      if (!own) return [`there is no metric ${metric}`]
      return matchers.flatMap(({ label }) =>
        own.includes(label) || ADDED.includes(label) ? [] : [`${metric} has no label ${label}`],
      )
    }),
    ...grouping.flatMap((label) => (labels.includes(label) || ADDED.includes(label) ? [] : [`no label ${label}`])),
  ]
}

const LABEL_IN_TEXT = /\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g

describe('the alert rules', () => {
  it('name metrics, labels and groups that the service has', () => {
    expect(rules.length).toBeGreaterThan(15)
    for (const { alert, expr } of rules) expect(mistakesIn(expr), alert).toEqual([])
  })

  it('have a severity, a summary with labels that the alert has, and what to do', () => {
    for (const { alert, expr, labels, annotations } of rules) {
      expect(['page', 'ticket'], alert).toContain(labels.severity)
      expect(annotations.runbook.length, alert).toBeGreaterThan(20)
      const { selectors, grouping } = readPromql(expr)
      const isAggregated = /^\s*(sum|max|histogram_quantile)\b/.test(expr)
      const carried = isAggregated
        ? grouping
        : [...ADDED, ...selectors.flatMap(({ metric }) => known.get(metric) ?? [])]
      for (const [, label = ''] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) {
        expect(carried, `${alert} has no label ${label}`).toContain(label)
      }
    }
  })

  it('have different names, which the documentation lists', async () => {
    const names = rules.map(({ alert }) => alert)
    expect(new Set(names).size).toBe(names.length)
    const docs = await readFile(join(DEPLOY, '../../../docs/operate/observability.md'), 'utf8')
    for (const name of names) expect(docs, name).toContain(`\`${name}\``)
  })

  it('alert on unknown payments, and not on checkouts that are open', () => {
    const at = (state: string): Sample => ({
      name: 'eep_payments_open_oldest_seconds',
      labels: { rail: 'card', state },
      value: 3_600,
    })
    const { expr } = ruleOf('EepPaymentsUnknown')
    expect(samplesOver(expr, [at('unknown')])).toHaveLength(1)
    expect(samplesOver(expr, [at('checkout_open'), at('settling')])).toEqual([])
  })
})

describe('the dashboard', () => {
  it('shows metrics, labels and groups that the service has', () => {
    const targets = panels.flatMap(({ title, targets: of = [] }) => of.map((target) => ({ title, ...target })))
    expect(targets.length).toBeGreaterThan(40)
    for (const { title, expr, legendFormat } of targets) {
      expect(mistakesIn(expr), title).toEqual([])
      const { selectors, grouping } = readPromql(filledIn(expr))
      const labels = [...ADDED, ...grouping, ...selectors.flatMap(({ metric }) => known.get(metric) ?? [])]
      for (const [, label = ''] of legendFormat.matchAll(LABEL_IN_TEXT)) expect(labels, title).toContain(label)
    }
  })

  it('shows every metric of the service', () => {
    const shown = new Set(
      panels.flatMap(({ targets = [] }) =>
        targets.flatMap(({ expr }) =>
          readPromql(filledIn(expr)).selectors.map(({ metric }) => metric.replace(/_(bucket|count|sum)$/, '')),
        ),
      ),
    )
    const own = [...known.keys()].filter((name) => name.startsWith('eep_'))
    expect(own.filter((name) => !shown.has(name.replace(/_(bucket|count|sum)$/, '')))).toEqual([])
  })

  it('has panels that do not overlap', () => {
    const places = panels.flatMap(({ title, gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => ({
        title,
        place: `${x + (index % w)} ${y + Math.floor(index / w)}`,
      })),
    )
    expect(new Set(places.map(({ place }) => place)).size).toBe(places.length)
  })
})

const exec = promisify(execFile)
const hasPromtool = await exec('promtool', ['--version']).then(
  () => true,
  () => false,
)

const directories: string[] = []
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true, force: true }))))

/** Each sample as a series that was `before` for half an hour, and is `after` then. Counters go on growing as they did. */
function seriesOf(before: readonly Sample[], after: readonly Sample[]) {
  return after
    .filter(({ name, value }) => name.startsWith('eep_') && Number.isFinite(value))
    .map(({ name, labels, value }) => {
      const all = Object.entries({ job: 'eep', instance: 'one', ...labels })
      const text = `${name}{${all.map(([label, of]) => `${label}=${JSON.stringify(of)}`).join(',')}}`
      const first = sumOf(before, name, labels)
      const growth = /_(total|count|bucket|sum)$/.test(name) ? value - (first ?? 0) : 0
      return { series: text, values: `${first === undefined ? '_x30' : `${first}x30`} ${value}+${growth}x30` }
    })
}

/** Lets Prometheus evaluate the rules on what it would have scraped. Rejects when one of the alerts does not fire. */
async function requireFiring(alerts: readonly string[], before: readonly Sample[], after: readonly Sample[]) {
  const directory = await mkdtemp(join(tmpdir(), 'eep-alerts-'))
  directories.push(directory)
  const file = join(directory, 'test.yaml')
  const test = {
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: seriesOf(before, after),
        promql_expr_test: alerts.map((alert) => ({
          expr: `clamp_max(count(ALERTS{alertname="${alert}",alertstate="firing"}), 1)`,
          // The alerts with the shortest windows end soon after a jump of a counter.
          eval_time: '38m',
          exp_samples: [{ labels: '{}', value: 1 }],
        })),
      },
    ],
  }
  await writeFile(file, JSON.stringify(test))
  await exec('promtool', ['test', 'rules', file])
}

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** Reads the metrics until each alert has a sample over its threshold. The results of the database are reused for some seconds. */
async function metricsOver(app: TestApp, alerts: readonly string[]): Promise<readonly Sample[]> {
  let missing = alerts
  return until(
    async () => {
      const samples = await readMetrics(app)
      missing = alerts.filter((alert) => samplesOver(ruleOf(alert).expr, samples).length === 0)
      return missing.length === 0 ? samples : undefined
    },
    () => `samples over the thresholds of ${missing.join(', ')}`,
  )
}

/** Faults of rails, jobs, consumers and emails: each is made, and seen in the metrics of the service. */
const FAULTS = [
  'EepPaymentsUnknown',
  'EepRailFailing',
  'EepPartDown',
  'EepEmailsNotSent',
  'EepConsumerStuck',
  'EepJobsFailing',
  'EepJobsWaiting',
  'EepJobDead',
] as const
/** Faults of the database. */
const OUTAGE = ['EepStorageDown', 'EepInternalErrors', 'EepManyErrors'] as const

const TWO_DAYS_MS = 2 * 24 * 3_600_000

describe('an alert', () => {
  let before: readonly Sample[]
  let faulty: readonly Sample[]
  let healthy: readonly Sample[]
  let outage: readonly Sample[]

  beforeAll(async () => {
    const hanging = openEnd()
    const service = await createCashApp({
      ...measuring(),
      // What begins now has been waiting for two days, as the database sees it.
      clock: () => new Date(Date.now() - TWO_DAYS_MS),
      email: {
        mailer: { send: () => Promise.reject(new Error('refused')), ping: () => Promise.reject(new Error('x')) },
      },
      jobs: {
        concurrency: 1,
        kinds: [
          kindOf(() => Promise.reject(new Error('broken')), { name: 'broken', attempts: 0 }),
          kindOf(hanging.run, { name: 'hanging' }),
        ],
      },
    })
    closing.push(service.close)
    const { app, cashWallets } = service
    app.eep.follow('stuck', {
      'accounts.account_registered': () => Promise.reject(new Error('this consumer is stuck')),
    })
    const shop = await openShop(app, 'faulty-shop')
    const payInVain = async (url: string) => {
      const refusal = await client(app).get(url)
      cashWallets.next('settle', { lose: 'request' })
      const credential = cashWallets.answer(refusal.headers['payment-required'], { wallet: `wallet:${url}` })
      expect((await client(app).get(url, credential)).statusCode).toBe(503)
    }

    const request = (kind: string) =>
      app.eep.jobs.request({ kind, accountId: shop.account.id, profileId: null, input: {} })
    const failJobs = async (total: number) => {
      const failed = async () => sumOf(await readMetrics(app), 'eep_jobs_finished_total', { status: 'failed' }) ?? 0
      for (let count = await failed(); count < total; count++) await request('broken')
      await until(
        async () => ((await failed()) === total ? true : undefined),
        () => `${total} failed jobs`,
      )
    }
    // A rate needs two scrapes of a series, which begins with its first event.
    await payInVain(shop.other)
    await failJobs(1)
    before = await readMetrics(app)
    await payInVain(shop.paid)
    await failJobs(12)
    await client(app).post('/auth/forgot-password', { email: shop.account.email })
    await until(
      async () => sumOf(await readMetrics(app), 'eep_emails_total', { kind: 'password-reset', outcome: 'failed' }),
      () => 'an email that was not sent',
    )
    await request('hanging')
    await hanging.begun
    await request('hanging')
    faulty = await metricsOver(app, FAULTS)
    hanging.end()

    const healthyApp = await createCashApp({ ...measuring(), email: { mailer: { send: async () => {} } } })
    closing.push(healthyApp.close)
    const fine = await openShop(healthyApp.app, 'fine-shop')
    const offer = await client(healthyApp.app).get(fine.paid)
    const headers = healthyApp.cashWallets.answer(offer.headers['payment-required'])
    expect((await client(healthyApp.app).get(fine.paid, headers)).statusCode).toBe(200)
    healthy = await readMetrics(healthyApp.app)

    const database = await openStorage()
    closing.push(database.close)
    let isDown = false
    const { storage } = database
    const unless = <Result>(work: () => Promise<Result>) =>
      isDown ? Promise.reject(new Error('connection refused')) : work()
    const failing: Storage = {
      ...storage,
      ping: () => unless(() => storage.ping()),
      read: {
        ...storage.read,
        profiles: { ...storage.read.profiles, get: (...of) => unless(() => storage.read.profiles.get(...of)) },
      },
    }
    const other = await createTestApp({ ...measuring(), storage: failing })
    closing.push(other.close)
    isDown = true
    for (let count = 0; count < 20; count++) await other.app.inject('/profiles/u/ada')
    outage = await metricsOver(other.app, OUTAGE)
    isDown = false
  }, 240_000)

  it.each(FAULTS)('%s has a sample over its threshold once its fault is made', (alert) => {
    expect(samplesOver(ruleOf(alert).expr, faulty)).not.toEqual([])
  })

  it.each(OUTAGE)('%s has a sample over its threshold without a database', (alert) => {
    expect(samplesOver(ruleOf(alert).expr, outage)).not.toEqual([])
  })

  it('has no sample over its threshold in a service that sells without faults', () => {
    for (const { alert, expr } of rules) {
      // One slow request of a busy machine is not a fault.
      if (readPromql(expr).thresholds.every(({ selectors: [first] }) => first?.isRange && !first.matchers.length))
        continue
      expect(samplesOver(expr, healthy), alert).toEqual([])
    }
  })

  it('fires in Prometheus when its fault was scraped', async ({ skip }) => {
    if (!hasPromtool) skip('promtool is not installed; Debian has it in the package prometheus')
    await exec('promtool', ['check', 'rules', '--lint=all', '--lint-fatal', RULES])
    await requireFiring(FAULTS, before, faulty)
    await requireFiring(OUTAGE, [], outage)
    await expect(requireFiring(['EepPaymentsUnknown'], [], healthy)).rejects.toThrow()
  })
})
