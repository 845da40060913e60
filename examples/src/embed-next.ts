// app/eep/[...path]/route.ts
import { handler } from './embed-next-service.ts'

const handle = async (request: Request) => (await handler())(request)

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
