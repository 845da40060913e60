import { everything } from '../entries/everything.ts'
import { sandbox } from '../entries/sandbox.ts'
import { orderModules } from '../framework/composition/order-modules.ts'
import { baseModules, modulesOnDemand } from '../modules/base.ts'

/** Every module of the package with the default options, also those that are not in `everything()`, in order of dependency: for tests, and for the generated pages of docs/. */
export const everyModule = orderModules([...baseModules, ...modulesOnDemand, ...everything(), sandbox()])
