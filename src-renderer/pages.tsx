// Every page of the screen: its path behind the #, its word in the navigation, and what it shows. A page with details
// (`/streams/12`) takes all paths below its own and reads the rest itself.
import {
  IconActivityHeartbeat,
  IconBooks,
  IconChartLine,
  IconDatabaseSearch,
  IconLifebuoy,
  IconNotebook,
  IconPlug,
  IconSeedling,
  IconSettings,
  IconTimeline,
} from '@tabler/icons-react';
import type { Snapshot } from '../src-main/contract/snapshot.ts';
import { CataloguePage } from './features/catalogue/catalogue-page.tsx';
import { GrowthPage } from './features/growth/growth-page.tsx';
import { HelpPage } from './features/help/help-page.tsx';
import { JournalPage } from './features/journal/journal-page.tsx';
import { LibraryPage } from './features/library/library-page.tsx';
import { NowPage } from './features/now/now-page.tsx';
import { PlotsPage } from './features/plots/plots-page.tsx';
import { SettingsPage } from './features/settings/settings-page.tsx';
import { SourcesPage } from './features/sources/sources-page.tsx';
import { StreamsPage } from './features/streams/streams-page.tsx';
import type { Place } from './frame/navigation.tsx';

export interface Page extends Place {
  readonly Content: React.ComponentType<{ snapshot: Snapshot }>;
}

export const pages: readonly Page[] = [
  { path: '/', label: 'Now', icon: IconActivityHeartbeat, Content: NowPage },
  { path: '/growth', label: 'Growth', icon: IconSeedling, Content: GrowthPage },
  { path: '/plots', label: 'Plots', icon: IconChartLine, Content: PlotsPage },
  { path: '/streams', label: 'Streams', icon: IconTimeline, Content: StreamsPage },
  { path: '/sources', label: 'Sources', icon: IconPlug, Content: SourcesPage },
  { path: '/catalogue', label: 'Catalogue', icon: IconDatabaseSearch, Content: CataloguePage },
  { path: '/library', label: 'Library', icon: IconBooks, Content: LibraryPage },
  { path: '/journal', label: 'Journal', icon: IconNotebook, Content: JournalPage },
  { path: '/settings', label: 'Settings', icon: IconSettings, Content: SettingsPage },
  { path: '/help', label: 'Help', icon: IconLifebuoy, Content: HelpPage },
];
