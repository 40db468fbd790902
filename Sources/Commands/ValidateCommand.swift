
import Release
