// app/eep/[...path]/route.ts
import { toFetchHandler } from '@eep/core'
import { app } from './embed-app.ts'

// A header that your proxy sets and that clients cannot.
const clientAddress = (request: Request) => request.headers.get('x-real-ip') ?? undefined
const handle = toFetchHandler(app, { clientAddress })

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
}
export const runtime = 'nodejs'
