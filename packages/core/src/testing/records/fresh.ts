import { randomUUID } from 'node:crypto'

export const moment = new Date('2026-03-04T05:06:07.089Z')

export const later = (ms: number) => new Date(moment.getTime() + ms)

/** A unique name: `ada-` and sixteen characters of `[a-z0-9]`. */
export const freshName = (stem = 'ada'): string => `${stem}-${randomUUID().replaceAll('-', '').slice(0, 16)}`

export const freshHash = (): string => `${randomUUID()}${randomUUID()}`.replaceAll('-', '')
