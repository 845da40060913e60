import { runHost } from '@eep/core/host'
import { host } from './host.ts'

await runHost(host)
