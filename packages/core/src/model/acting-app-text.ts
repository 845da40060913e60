import type { ActingApp } from './acting-app.ts'

/** How pages and emails name an app: with the host that vouches for it. */
export const actingAppText = ({ name, host }: ActingApp): string => (host === null ? name : `${name} (${host})`)
