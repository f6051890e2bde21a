// Tests of the other folders that go on for as long as one likes: the same ones, with the amounts of a long run.
import '../contract/service/properties.test.ts';
import '../unit/platform/instance-lock.test.ts';
import '../unit/agent/status/troubles.test.ts';
import '../unit/delivery/receipt/random-walk.test.ts';
import '../unit/queue/recorder/lanes.test.ts';
import '../unit/queue/recorder/recorder.test.ts';
import '../unit/delivery/client/client.test.ts';
import '../unit/delivery/client/scan-series.test.ts';
import '../unit/settings/save-settings.test.ts';
import '../unit/sources/log/auto-round-trip.test.ts';
import '../unit/queue/store/tables/delivered.test.ts';
import '../unit/queue/store/chunks/resend.test.ts';
