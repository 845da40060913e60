import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { chromiumPath, launchChromium } from '@eep/test/support/chromium'
import type { Measured, Pair } from './measure.ts'
import { startServer } from './server-process.ts'
import type { Subject } from './subject.ts'

/** Chromium paints at the pace of a screen, so a single time is not precise. */
const ROUNDS = 40
const WARM_ROUNDS = 3
/** The factor of the bar, as a ratio of the static file to the page. */
export const PAGE_BAR = 1 / 1.2

/** The largest contentful paint of the current page in milliseconds, once it is known. */
const LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
    .observe({ type: 'largest-contentful-paint', buffered: true })
})`

const timesOf = (p99Ms: number): Measured => ({ requestsPerSecond: Number.NaN, p99Ms })

/** A static file of each path. */
async function serveFiles(files: ReadonlyMap<string, { readonly type: string; readonly bytes: Buffer }>) {
  const server = createServer(({ url = '' }, response) => {
    const file = files.get(url)
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' }).end(file?.bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
}

/** Copies a page, and the script that it names, to static files. */
async function copyOf(service: string, path: string) {
  const load = async (from: string, status: number) => {
    const answer = await fetch(service + from, { headers: { accept: 'text/html' } })
    if (answer.status !== status) throw new Error(`${from} was answered with ${answer.status}`)
    return { type: answer.headers.get('content-type') ?? '', bytes: Buffer.from(await answer.arrayBuffer()) }
  }
  const page = await load(path, path.includes('/content/') ? 402 : 200)
  const [, script] = /<script type="module" src="([^"]+)"/.exec(page.bytes.toString()) ?? []
  const files = new Map([[path, page]])
  if (script !== undefined) files.set(script, await load(script, 200))
  return { ...(await serveFiles(files)), hasScript: script !== undefined }
}

/** The times of a page, and what it is. */
export interface PaintedPage extends Pair {
  readonly what: string
}

/**
 * The largest contentful paint of the page of a profile, and of a page for sale with its script, each against static files of the
 * same bytes, by turns in one browser with an empty cache. Undefined where no Chromium is installed.
 */
export async function measurePages(connectionString?: string): Promise<readonly PaintedPage[] | undefined> {
  if (chromiumPath === undefined) return undefined
  const service = await startServer<Subject>('./subject.ts', { connectionString, wallets: true })
  const { url, profile, page } = service.report
  const browser = await launchChromium()
  try {
    const paint = async (address: string): Promise<number> => {
      const context = await browser.newContext()
      const tab = await context.newPage()
      await tab.goto(address)
      const at = await tab.evaluate<number>(LARGEST_PAINT)
      await context.close()
      return at
    }
    const measured: PaintedPage[] = []
    for (const [path, name] of [
      [profile, 'the page of a profile'],
      [page, 'a page for sale with its script'],
    ] as const) {
      const copy = await copyOf(url, path)
      if (copy.hasScript !== (path === page)) throw new Error(`${path}: the script is not where it was expected`)
      measured.push({
        what: `largest contentful paint of ${name}`,
        ...(await compare(paint, url + path, copy.url + path)),
      })
      copy.stop()
    }
    return measured
  } finally {
    await browser.close()
    service.stop()
  }
}

/** The mean of the middle half: unlike a median, it does not jump from one frame to the next. */
function middleMean(times: readonly number[]): number {
  const middle = times.toSorted((one, other) => one - other).slice(times.length / 4, (times.length * 3) / 4)
  return middle.reduce((sum, time) => sum + time, 0) / middle.length
}

async function compare(paint: (url: string) => Promise<number>, page: string, file: string): Promise<Pair> {
  for (let round = 0; round < WARM_ROUNDS; round++) for (const url of [page, file]) await paint(url)
  const rounds: { readonly ours: number; readonly theirs: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    // Either goes first, so that a slope in the load of the machine meets both.
    if (round % 2 === 0) rounds.push({ theirs: await paint(file), ours: await paint(page) })
    else rounds.push({ ours: await paint(page), theirs: await paint(file) })
  }
  const ours = middleMean(rounds.map((round) => round.ours))
  const theirs = middleMean(rounds.map((round) => round.theirs))
  return {
    subject: timesOf(Math.round(ours)),
    bare: timesOf(Math.round(theirs)),
    ratio: theirs / ours,
  }
}
