import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import Fastify from 'fastify'
import { serve } from './server-process.ts'

/** The bare server, which serves at `/mcp`. */
export interface BareAssistant {
  readonly url: string
}

/** A server of the same library with one tool, which does nothing but answer. */
await serve<object, BareAssistant>(async () => {
  const tool = { name: 'read', description: 'Reads a page', inputSchema: { type: 'object' as const } }
  const handler = createMcpHandler(
    () => {
      const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } })
      server.setRequestHandler('tools/list', async () => ({ tools: [tool] }))
      server.setRequestHandler('tools/call', async () => ({ content: [{ type: 'text' as const, text: 'Open.' }] }))
      return server
    },
    { legacy: 'stateless', responseMode: 'auto' },
  )
  const app = Fastify()
  app.post('/mcp', async ({ body, headers }, reply) => {
    const request = new Request('http://bare.example/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: String(headers.accept) },
      body: JSON.stringify(body),
    })
    const response = await handler.fetch(request, { parsedBody: body })
    return reply
      .code(response.status)
      .type(response.headers.get('content-type') ?? 'application/json')
      .send(await response.text())
  })
  return { url: await app.listen({ port: 0 }) }
})
