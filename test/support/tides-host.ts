import { runHost } from '@eep/core/host'
import { routes } from '../../examples/src/host-routes.ts'
import { host } from '../../packages/host-example/src/host.ts'

await runHost({ ...host, routes })
