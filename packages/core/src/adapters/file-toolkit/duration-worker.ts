// Files are measured outside of the event loop: their authors control how long it takes.
import { parentPort, workerData } from 'node:worker_threads'
import { parseBlob } from 'music-metadata'
import { rangedBlob } from './ranged-blob.ts'

/** The input of the worker. */
export interface DurationJob {
  readonly size: number
}

/** It requests bytes until it knows the duration in seconds; null when the duration cannot be determined. */
export type DurationMessage =
  | { readonly read: { readonly start: number; readonly end: number } }
  | { readonly seconds: number | null }

const { size } = workerData as DurationJob

let last: Promise<unknown> = Promise.resolve()

/** Requests one range at a time, so that each response belongs to the last request. */
function read(start: number, end: number): Promise<Uint8Array> {
  const answer = last.then(
    () =>
      new Promise<Uint8Array>((resolve) => {
        parentPort?.once('message', resolve)
        parentPort?.postMessage({ read: { start, end } } satisfies DurationMessage)
      }),
  )
  last = answer
  return answer
}

const blob = rangedBlob(size, read)

/** The longest duration in the headers. If they contain none, the frames are counted. */
async function secondsOf(): Promise<number | undefined> {
  for (const duration of [false, true]) {
    const { format } = await parseBlob(blob, { duration, skipCovers: true, skipPostHeaders: true })
    const told = [format, ...format.trackInfo].flatMap((part) => part.duration ?? [])
    const seconds = Math.max(...told.filter((each) => Number.isFinite(each) && each > 0))
    if (Number.isFinite(seconds)) return seconds
  }
  return undefined
}

const seconds = await secondsOf().catch(() => undefined)
parentPort?.postMessage({ seconds: seconds ?? null } satisfies DurationMessage)
