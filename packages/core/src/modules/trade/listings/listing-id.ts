import { randomUUID } from 'node:crypto'

/** A new id of a listing, as EEP writes it. */
export const newListingId = (): string => `svc_${randomUUID().replaceAll('-', '')}`
