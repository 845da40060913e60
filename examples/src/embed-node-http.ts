import { createServer } from 'node:http'
import { toNodeHandler } from '@eep/core'
import { app } from './embed-app.ts'

const profiles = toNodeHandler(app)
export const server = createServer((request, response) => {
  if (request.url?.startsWith('/eep')) profiles(request, response)
  else response.end('A shop')
})
server.listen(Number(process.env.PORT ?? 3000))
